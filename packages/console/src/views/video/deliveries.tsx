import { Link } from "@tanstack/react-router";
import { useAction, useCall } from "../../api/api.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { Problem } from "../../components/problem.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useDomain } from "../../frame/domain-frame.tsx";

/** The webhook deliveries that tell of a video, each to be opened and sent once more. */
export function Deliveries({ id }: { id: string }) {
	const { slug } = useDomain();
	const query = useCall("listWebhookDeliveries", { query: { video_id: id, limit: 20 } }, { every: 15_000 });
	const replay = useAction("replayWebhookDelivery", { changes: ["listWebhookDeliveries"] });
	return (
		<Panel title="Webhook deliveries">
			<Problem error={replay.error} />
			<Loaded query={query}>
				{({ data }) =>
					data.length === 0 ? (
						<div className="row">
							<p className="muted">None yet. Set a webhook to receive events.</p>
							<LinkButton size="small" to="/d/$domain/webhooks" params={{ domain: slug }}>
								Webhooks
							</LinkButton>
						</div>
					) : (
						<Table
							label="Deliveries of this video"
							isLinked
							rows={data}
							rowKey={(delivery) => delivery.id}
							columns={[
								{
									name: "Event",
									cell: (delivery) => (
										<Link to="/d/$domain/webhooks/$id" params={{ domain: slug, id: delivery.id }}>
											{delivery.type}
										</Link>
									),
								},
								{ name: "Status", cell: ({ status }) => <StateBadge state={status} /> },
								{ name: "Attempts", numeric: true, cell: ({ attempt_count }) => attempt_count },
								{ name: "Created", numeric: true, cell: ({ created_at }) => <Time at={created_at} /> },
								{
									name: "Replay",
									isActions: true,
									cell: (delivery) => (
										<Button
											size="small"
											aria-label={`Replay ${delivery.type} ${delivery.id}`}
											isPending={replay.isPending && replay.variables.params.id === delivery.id}
											onPress={() => replay.mutate({ params: { id: delivery.id } })}
										>
											Replay
										</Button>
									),
								},
							]}
						/>
					)
				}
			</Loaded>
		</Panel>
	);
}
