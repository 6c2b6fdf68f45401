import { Link } from "@tanstack/react-router";
import { ChevronRight, CircleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useCall } from "../../api/api.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatCount } from "../../format/amounts.ts";
import { useDomain } from "../../frame/domain-frame.tsx";
import styles from "./stuck.module.css";

const every = 10_000;
const mostRead = 100;
const waitMilliseconds = 10 * 60_000;

/** What is read to find what is stuck: videos that wait, deliveries that failed, the storage. */
export const useStuck = () =>
	[
		useCall("listVideos", { query: { state: "queued", limit: mostRead } }, { every }),
		useCall("listWebhookDeliveries", { query: { status: "failed", limit: mostRead } }, { every }),
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
	const failures = today?.failures ?? 0;
	const lost = dead.data?.data.length ?? 0;
	const of = { params: { domain: slug }, className: styles.row };
	const rows: { key: string; link: ReactNode }[] = [];
	if (storage.data?.last_error)
		rows.push({
			key: "storage",
			link: (
				<Link to="/d/$domain/storage" {...of}>
					<Row text={`The storage does not work: ${storage.data.last_error}`} />
				</Link>
			),
		});
	if (waiting.length > 0)
		rows.push({
			key: "waiting",
			link: (
				<Link to="/d/$domain/videos" search={{ state: "queued" }} {...of}>
					<Row
						text={`${waiting.length === 1 ? "video has" : "videos have"} waited for a worker for more than ten minutes`}
						count={counted(waiting.length, mostRead)}
					/>
				</Link>
			),
		});
	if (failures > 0)
		rows.push({
			key: "failures",
			link: (
				<Link to="/d/$domain/videos" search={{ state: "failed" }} {...of}>
					<Row text={`${failures === 1 ? "video" : "videos"} failed today`} count={formatCount(failures)} />
				</Link>
			),
		});
	if (lost > 0)
		rows.push({
			key: "webhooks",
			link: (
				<Link to="/d/$domain/webhooks" search={{ status: "failed" } as never} {...of}>
					<Row
						text={`${lost === 1 ? "event" : "events"} did not reach your webhook: every attempt failed`}
						count={counted(lost, mostRead)}
					/>
				</Link>
			),
		});
	if (rows.length === 0) return null;
	return (
		<Panel title="Needs a look" isRaised>
			<ul className={styles.rows}>
				{rows.map(({ key, link }) => (
					<li key={key}>{link}</li>
				))}
			</ul>
		</Panel>
	);
}

/** A count of what was read: "100+" if there may be more. */
const counted = (count: number, most: number): string => `${formatCount(count)}${count >= most ? "+" : ""}`;

const Row = ({ text, count }: { text: string; count?: string }) => (
	<>
		<CircleAlert size={18} aria-hidden />
		<span className={styles.text}>
			{count !== undefined && <strong className="numeric">{count}</strong>} {text}
		</span>
		<ChevronRight size={16} aria-hidden />
	</>
);
