import type { CallResult } from "@reelmill/client";
import { getRouteApi } from "@tanstack/react-router";
import { useCall } from "../../api/api.tsx";
import { AreaChart } from "../../components/area-chart.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Meter } from "../../components/meter.tsx";
import { Page } from "../../components/page.tsx";
import { Panel } from "../../components/panel.tsx";
import { Period } from "../../components/segments.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatCount, formatLength } from "../../format/amounts.ts";
import styles from "./usage.module.css";

const route = getRouteApi("/d/$domain/usage");
const periods = ["30", "90", "400"];
type Day = CallResult<"listUsageDays">["data"][number];

/** What is used of the limits today, and what was used on each day. */
export function Usage() {
	const { days = "30" } = route.useSearch();
	const count = periods.includes(days) ? Number(days) : 30;
	const today = useCall("getUsage", {}, { every: 10_000 });
	const from = new Date(Date.now() - (count - 1) * 86_400_000).toISOString().slice(0, 10);
	const history = useCall("listUsageDays", { query: { from } }, { every: 60_000, keep: true });
	return (
		<Page title="Usage">
			<div className="parts">
				<Loaded query={today}>{(usage) => <Limits usage={usage} />}</Loaded>
				<Panel title="Day by day" actions={<Period choices={periods} days={String(count)} />}>
					<Loaded query={history}>{({ data }) => <Charts days={data.toReversed()} />}</Loaded>
				</Panel>
			</div>
		</Page>
	);
}

function Limits({ usage }: { usage: CallResult<"getUsage"> }) {
	const { limits, remaining } = usage;
	const slots = limits.max_concurrent_processing;
	return (
		<div className="columns">
			<Panel title="Limits">
				<div className="stack">
					<Meter
						label="Uploaded today"
						value={limits.daily_upload_bytes - remaining.upload_bytes}
						limit={limits.daily_upload_bytes}
						format={formatBytes}
					/>
					<Meter
						label="Stored"
						value={Math.max(usage.storage_bytes, limits.storage_bytes_limit - remaining.storage_bytes)}
						limit={limits.storage_bytes_limit}
						format={formatBytes}
					/>
					<Meter
						label="Processing at once"
						value={slots - remaining.processing_slots}
						limit={slots}
						format={formatCount}
					/>
				</div>
			</Panel>
			<Panel title="What they mean">
				<p className="muted">
					Running uploads count in full. The daily count resets <Time at={usage.resets_at} />, at midnight UTC. Over a
					limit, new uploads are refused; stored videos stay and play. Today, {formatLength(usage.encoded_seconds)} of
					video became available. The operator of this installation sets the limits.
				</p>
			</Panel>
		</div>
	);
}

/** The days, oldest first. A day whose storage was not noted has the value of the day before. */
function Charts({ days }: { days: readonly Day[] }) {
	const of = (read: (day: Day) => number) => days.map((day) => ({ label: day.date, value: read(day) }));
	let stored = 0;
	const storage = of(({ storage_bytes }) => {
		stored = storage_bytes ?? stored;
		return stored;
	});
	return (
		<div className={styles.charts}>
			<AreaChart title="Uploaded" points={of(({ uploaded_bytes }) => uploaded_bytes)} format={formatBytes} />
			<AreaChart title="Encoded" points={of(({ encoded_seconds }) => encoded_seconds)} format={formatLength} />
			<AreaChart title="Stored" points={storage} format={formatBytes} />
			<AreaChart title="Failures" points={of(({ failures }) => failures)} format={formatCount} />
		</div>
	);
}
