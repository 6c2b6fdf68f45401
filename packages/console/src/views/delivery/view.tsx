import { getRouteApi, Link } from "@tanstack/react-router";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Id } from "../../components/copy.tsx";
import { Facts } from "../../components/facts.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Page } from "../../components/page.tsx";
import { Problem } from "../../components/problem.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Time } from "../../components/time.tsx";
import { Attempts } from "./attempts.tsx";
import { CopyAsCurl } from "./copy-as-curl.tsx";
import { Exchange } from "./exchange.tsx";

const route = getRouteApi("/d/$domain/webhooks/$id");

/** One delivery: each attempt of it, with what was sent and what came back. */
export function Delivery() {
	const { domain, id } = route.useParams();
	const { attempt } = route.useSearch();
	const query = useCall("getWebhookDelivery", { params: { id } }, { every: 2000 });
	const replay = useAction("replayWebhookDelivery", {
		changes: ["getWebhookDelivery", "listWebhookDeliveries", "replayWebhookDeliveries"],
	});
	const delivery = query.data;
	return (
		<Page
			title={delivery?.type ?? "Delivery"}
			beside={delivery && <StateBadge state={delivery.status} />}
			back={
				<Link to="/d/$domain/webhooks" params={{ domain }}>
					Webhooks
				</Link>
			}
			actions={
				delivery && (
					<>
						<CopyAsCurl delivery={delivery} />
						<Button kind="primary" isPending={replay.isPending} onPress={() => replay.mutate({ params: { id } })}>
							Replay
						</Button>
					</>
				)
			}
		>
			<div className="stack">
				<Problem error={replay.error} />
				<Loaded
					query={query}
					advice="It may be older than the log, which keeps deliveries for 30 days after their last attempt."
				>
					{(found) => {
						const shown =
							found.exchanges.find((one) => String(one.attempt) === attempt) ?? found.exchanges.at(-1) ?? null;
						return (
							<div className="parts">
								<Facts
									rows={[
										["Delivery", <Id key="id" id={found.id} label="Copy delivery id" />],
										[
											"Video",
											found.type === "webhook.test" ? (
												"none, this is a test event"
											) : (
												<VideoLink id={found.video_id} key="video" />
											),
										],
										["Happened", <Time key="created" at={found.created_at} />],
										["Delivered", <Time key="delivered" at={found.delivered_at} none="not yet" />],
										["Next attempt", <Time key="next" at={found.next_attempt_at} none="none" />],
									]}
								/>
								<Attempts delivery={found} current={shown?.attempt ?? null} />
								<Exchange exchange={shown} body={found.body} url={found.url} />
							</div>
						);
					}}
				</Loaded>
			</div>
		</Page>
	);
}

function VideoLink({ id }: { id: string }) {
	const { domain } = route.useParams();
	return (
		<Link to="/d/$domain/videos/$id" params={{ domain, id }}>
			<code>{id}</code>
		</Link>
	);
}
