import type { WebhookDelivery } from "@reelmill/contracts";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useAction } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Id } from "../../components/copy.tsx";
import { Problem } from "../../components/problem.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";

const route = getRouteApi("/d/$domain/webhooks");

/** Says what the last attempt came to: "200", "500", "timeout". */
const lastAnswer = ({ attempts }: Pick<WebhookDelivery, "attempts">): string => {
	const last = attempts.at(-1);
	return last === undefined ? "" : String(last.response_status ?? last.error?.replaceAll("_", " ") ?? "");
};

/** Deliveries as rows; a failed one can be replayed where it stands. */
export function Deliveries({ rows }: { rows: readonly WebhookDelivery[] }) {
	const { domain } = route.useParams();
	const replay = useAction("replayWebhookDelivery", { changes: ["listWebhookDeliveries", "replayWebhookDeliveries"] });
	const columns: Column<WebhookDelivery>[] = [
		{
			name: "Event",
			cell: ({ id, type }) => (
				<Link to="/d/$domain/webhooks/$id" params={{ domain, id }}>
					{type}
				</Link>
			),
		},
		{ name: "Status", cell: ({ status }) => <StateBadge state={status} /> },
		{ name: "Last answer", cell: lastAnswer },
		{
			name: "Video",
			wide: true,
			cell: ({ type, video_id }) =>
				type === "webhook.test" ? <span className="muted">none</span> : <Id id={video_id} label="Copy video id" />,
		},
		{ name: "Attempts", numeric: true, wide: true, cell: ({ attempt_count }) => attempt_count },
		{ name: "Next attempt", wide: true, cell: ({ next_attempt_at }) => <Time at={next_attempt_at} none="none" /> },
		{ name: "Happened", numeric: true, cell: ({ created_at }) => <Time at={created_at} /> },
		{
			name: "Replay",
			isActions: true,
			cell: ({ id, status, type }) =>
				status === "failed" && (
					<Button
						size="small"
						aria-label={`Replay ${type} ${id}`}
						isPending={replay.isPending && replay.variables.params.id === id}
						onPress={() => replay.mutate({ params: { id } })}
					>
						Replay
					</Button>
				),
		},
	];
	return (
		<>
			<Problem error={replay.error} />
			<Table label="Log of deliveries" isLinked rows={rows} rowKey={({ id }) => id} columns={columns} />
		</>
	);
}
