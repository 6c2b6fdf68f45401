import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCall } from "../../api/api.tsx";
import { Panel } from "../../components/panel.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { formatCount } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import styles from "./stuck.module.css";

const every = 10_000;
const waitMilliseconds = 10 * 60_000;

/** What is read to find what is stuck: videos that wait, deliveries that failed, the storage. */
export const useStuck = () =>
	[
		useCall("listVideos", { query: { state: "queued", limit: 100 } }, { every }),
		useCall("listWebhookDeliveries", { query: { status: "failed", limit: 1 } }, { every }),
		useCall("getStorage", {}, { every: 60_000 }),
	] as const;

/** What needs somebody, each with the way there; nothing while nothing does. */
export function Stuck() {
	const { slug } = useDomain();
	const today = useCall("listUsageDays", {}).data?.data[0];
	const [queued, dead, storage] = useStuck();
	const waiting = (queued.data?.data ?? []).filter(
		({ updated_at }) => Date.now() - Date.parse(updated_at) > waitMilliseconds,
	);
	const params = { domain: slug };
	const rows: ReactNode[] = [];
	if (storage.data?.last_error)
		rows.push(
			<Row key="storage" state="storage">
				<Link to="/d/$domain/storage" params={params}>
					The storage does not work: {storage.data.last_error}
				</Link>
			</Row>,
		);
	if (waiting.length > 0)
		rows.push(
			<Row key="queue" state="waiting">
				<Link to="/d/$domain/videos" params={params} search={{ state: "queued" }}>
					{formatCount(waiting.length)} {waiting.length === 1 ? "video has" : "videos have"} waited for a worker for
					more than ten minutes
				</Link>
			</Row>,
		);
	if (today !== undefined && today.failures > 0)
		rows.push(
			<Row key="failures" state="failed">
				<Link to="/d/$domain/videos" params={params} search={{ state: "failed" }}>
					{formatCount(today.failures)} {today.failures === 1 ? "video" : "videos"} failed today
				</Link>
			</Row>,
		);
	if ((dead.data?.data.length ?? 0) > 0)
		rows.push(
			<Row key="webhooks" state="webhook">
				<Link to="/d/$domain/webhooks" params={params} search={{ status: "failed" } as never}>
					Events did not arrive at the webhook: every attempt failed
				</Link>
			</Row>,
		);
	if (rows.length === 0) return null;
	return (
		<Panel title="Needs a look">
			<ul className={styles.stuck}>{rows}</ul>
		</Panel>
	);
}

const Row = ({ state, children }: { state: string; children: ReactNode }) => (
	<li className={styles.row}>
		<StateBadge state={state} tone="warn" />
		{children}
	</li>
);
