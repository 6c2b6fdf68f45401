import { getRouteApi, Link } from "@tanstack/react-router";
import { useCall } from "../../../api/api.tsx";
import { LinkButton } from "../../../components/button.tsx";
import { Id } from "../../../components/copy.tsx";
import { Facts } from "../../../components/facts.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Time } from "../../../components/time.tsx";
import { DeleteDomain } from "./delete-domain.tsx";
import { Limits } from "./limits.tsx";
import { RotateKey } from "./rotate-key.tsx";

const route = getRouteApi("/operator/domains/$id");

export function DomainDetails() {
	const { id } = route.useParams();
	const query = useCall("getAdminDomain", { params: { id } });
	const slug = query.data?.slug;
	return (
		<Page
			title={slug ?? "Domain"}
			back={<Link to="/operator/domains">Domains</Link>}
			actions={
				slug !== undefined && (
					<>
						<LinkButton to="/operator/audit" search={{ domain: id }}>
							See its changes
						</LinkButton>
						<LinkButton to="/d/$domain" params={{ domain: id }}>
							Open as the tenant
						</LinkButton>
					</>
				)
			}
		>
			<Loaded query={query}>
				{(domain) => (
					<div className="parts">
						<Panel title="About">
							<Facts
								rows={[
									["Id", <Id key="id" id={domain.id} />],
									["Created", <Time key="at" at={domain.created_at} />],
									["Webhook", domain.config.webhook_url],
									["Webhook secret", domain.webhook_secret_set ? "set" : "not set"],
								]}
							/>
						</Panel>
						<Limits key={JSON.stringify([domain.slug, domain.limits])} domain={domain} />
						<RotateKey domain={domain} />
						<DeleteDomain domain={domain} />
					</div>
				)}
			</Loaded>
		</Page>
	);
}
