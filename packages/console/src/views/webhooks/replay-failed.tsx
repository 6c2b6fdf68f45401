import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useAction, useCall } from "../../api/api.tsx";
import { Button } from "../../components/button.tsx";
import { Choice } from "../../components/choice.tsx";
import { Problem } from "../../components/problem.tsx";
import { formatCount } from "../../format/amounts.ts";
import styles from "./replay-failed.module.css";

const route = getRouteApi("/d/$domain/webhooks");
const windows = [
	{ value: "1h", label: "the last hour", hours: 1 },
	{ value: "24h", label: "the last 24 hours", hours: 24 },
	{ value: "7d", label: "the last 7 days", hours: 168 },
	{ value: "30d", label: "the last 30 days", hours: 720 },
] as const;

/** Says how many deliveries failed since a time, and replays them all. Nothing is shown if none did, in 30 days. */
export function ReplayFailed() {
	const search = route.useSearch();
	const chosen = windows.find(({ value }) => value === search.since) ?? windows[1];
	const navigate = useNavigate();
	const since = useMemo(() => new Date(Date.now() - chosen.hours * 3_600_000).toISOString(), [chosen]);
	const everSince = useMemo(() => new Date(Date.now() - 720 * 3_600_000).toISOString(), []);
	const count = useCall("replayWebhookDeliveries", { body: { since, dry_run: true } }, { every: 15_000, keep: true });
	const all = useCall("replayWebhookDeliveries", { body: { since: everSince, dry_run: true } }, { every: 15_000 });
	const replay = useAction("replayWebhookDeliveries", {
		changes: ["replayWebhookDeliveries", "listWebhookDeliveries"],
	});
	const failed = count.data?.replayed ?? 0;
	const done = replay.data?.replayed;
	if ((all.data?.replayed ?? 0) === 0 && done === undefined && replay.error === null) return null;
	const shown = `${formatCount(failed)}${count.data?.more ? "+" : ""}`;
	return (
		<div className={styles.failed}>
			<div className="row">
				<span>
					<strong>{shown}</strong> failed for good in
				</span>
				<Choice
					label="Failed since"
					isLabelHidden
					value={chosen.value}
					onChange={(value) =>
						void navigate({
							to: ".",
							search: ((before: object) => ({ ...before, since: value })) as never,
							replace: true,
						})
					}
					options={windows.map(({ value, label }) => ({ value, label }))}
				/>
				{failed > 0 && (
					<Button isPending={replay.isPending} onPress={() => replay.mutate({ body: { since } })}>
						Replay {shown} failed
					</Button>
				)}
			</div>
			<p role="status" className="muted small">
				{done === undefined
					? "Each is sent once more, with the same id and body."
					: `${formatCount(done)} ${done === 1 ? "is" : "are"} being sent again.`}
			</p>
			<Problem error={replay.error ?? count.error} />
		</div>
	);
}
