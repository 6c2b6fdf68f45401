import { getRouteApi, Outlet } from "@tanstack/react-router";
import { createContext, useContext, useEffect } from "react";
import { ApiProvider } from "../api/api.tsx";
import { type SessionDomain, useSession } from "../api/session.tsx";
import { Empty } from "../components/empty.tsx";
import { Page } from "../components/page.tsx";
import { rememberDomain } from "./last-domain.ts";

const route = getRouteApi("/d/$domain");
const DomainContext = createContext<SessionDomain | null>(null);

/** The domain of the view: its id and its slug. */
export function useDomain(): SessionDomain {
	const domain = useContext(DomainContext);
	if (domain === null) throw new Error("useDomain belongs into the views of a domain.");
	return domain;
}

/** Gives a domain's views their domain, found by the slug in the URL among those that the person may see. */
export function DomainFrame() {
	const { domain: slug } = route.useParams();
	const domain = useSession().domains.find((each) => each.slug === slug || each.id === slug);
	useEffect(() => {
		if (domain) rememberDomain(domain.slug);
	}, [domain]);
	if (domain === undefined) return <NoSuchDomain slug={slug} />;
	return (
		<DomainContext value={domain}>
			<ApiProvider key={domain.id} domainId={domain.id}>
				<Outlet />
			</ApiProvider>
		</DomainContext>
	);
}

const NoSuchDomain = ({ slug }: { slug: string }) => (
	<Page title="Not found">
		<Empty title={`You see no domain "${slug}"`}>
			<p>It may have another name now, or an admin has yet to give you access to it.</p>
		</Empty>
	</Page>
);
