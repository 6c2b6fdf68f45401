import { useCall } from "../../api/api.tsx";
import { AreaChart } from "../../components/area-chart.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";
import { formatBytes, formatCount } from "../../format/amounts.ts";
import styles from "./last-days.module.css";

const formatMinutes = (seconds: number): string => `${(seconds / 60).toFixed(1)} min`;

/** The last 30 days in four quiet charts. */
export function LastDays() {
	const query = useCall("listUsageDays", {}, { every: 60_000 });
	return (
		<Panel title="The last 30 days">
			<Loaded query={query}>
				{({ data }) => {
					const days = data.toReversed();
					const points = (value: (day: (typeof days)[number]) => number) =>
						days.map((day) => ({ label: day.date, value: value(day) }));
					return (
						<div className={styles.charts}>
							<AreaChart title="Uploads" points={points(({ uploads }) => uploads)} format={formatCount} />
							<AreaChart title="Encoded" points={points((day) => day.encoded_seconds)} format={formatMinutes} />
							<AreaChart title="Storage" points={points((day) => day.storage_bytes ?? 0)} format={formatBytes} />
							<AreaChart title="Failures" points={points(({ failures }) => failures)} format={formatCount} />
						</div>
					);
				}}
			</Loaded>
		</Panel>
	);
}
