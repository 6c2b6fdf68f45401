import { useCall } from "../../api/api.tsx";
import { DayBars } from "../../components/day-bars.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { Panel } from "../../components/panel.tsx";

/** The uploads and failures of the last 30 days. */
export function LastDays() {
	const query = useCall("listUsageDays", {}, { every: 60_000 });
	return (
		<Panel title="The last 30 days">
			<Loaded query={query}>
				{({ data }) => {
					const days = data.toReversed();
					if (days.every(({ uploads, failures }) => uploads + failures === 0))
						return (
							<p className="muted">
								Nothing was uploaded in the last 30 days. Each day with its uploads and failures will be here.
							</p>
						);
					return (
						<DayBars
							title="Uploads and failures by day"
							days={days.map(({ date }) => date)}
							series={[
								{ name: "uploads", counts: days.map(({ uploads }) => uploads) },
								{ name: "failures", counts: days.map(({ failures }) => failures), isBad: true },
							]}
						/>
					);
				}}
			</Loaded>
		</Panel>
	);
}
