import { getRouteApi, Link } from "@tanstack/react-router";
import { useCall } from "../../../api/api.tsx";
import { AreaChart } from "../../../components/area-chart.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Period } from "../../../components/segments.tsx";
import { Table } from "../../../components/table.tsx";
import { formatCount } from "../../../format/amounts.ts";
import { dayBefore, meanings, pointsOf, reasonsOf } from "./days.ts";
import { FailedVideos } from "./failed-videos.tsx";

const route = getRouteApi("/operator/failures");
const periods = ["7", "30", "90", "400"];
type Reason = keyof typeof meanings;

/** What failed and why: by day, by reason, and each video. */
export function Failures() {
	const { days = "30", reason: asked } = route.useSearch();
	const reason = asked !== undefined && asked in meanings ? (asked as Reason) : undefined;
	const from = dayBefore(Date.now(), (periods.includes(days) ? Number(days) : 30) - 1);
	const query = useCall("listFailures", { query: { from } }, { every: 30_000, keep: true });
	return (
		<Page title="Failures" actions={<Period choices={periods} days={days} />}>
			<Loaded query={query}>
				{(failures) =>
					failures.data.length === 0 ? (
						<Empty title="Nothing failed">
							<p className="muted">No video or outro has failed since {failures.from}.</p>
						</Empty>
					) : (
						<div className="parts">
							<div className="columns">
								<Panel title={reason === undefined ? "All reasons" : words(reason)}>
									<AreaChart title="Failures a day (UTC)" points={pointsOf(failures, reason)} format={formatCount} />
								</Panel>
								<Panel title="By reason">
									<Table
										label="Failures by reason"
										rows={reasonsOf(failures)}
										rowKey={(row) => row.reason}
										columns={[
											{ name: "Reason", cell: (row) => <ReasonLink reason={row.reason} current={reason} /> },
											{ name: "Failures", numeric: true, cell: ({ count }) => formatCount(count) },
										]}
									/>
								</Panel>
							</div>
							<Panel title={reason === undefined ? "All failures, newest first" : `${words(reason)}, newest first`}>
								<FailedVideos from={from} reason={reason} />
							</Panel>
						</div>
					)
				}
			</Loaded>
		</Page>
	);
}

const words = (reason: Reason): string => reason.replaceAll("_", " ");

/** Narrows to a reason, or widens to all if it is the present one. */
const ReasonLink = ({ reason, current }: { reason: Reason; current: Reason | undefined }) => (
	<>
		<Link
			to="."
			search={((before: object) => ({ ...before, reason: reason === current ? undefined : reason })) as never}
			activeProps={{}}
		>
			{words(reason)}
			{reason === current && " (show all)"}
		</Link>
		<div className="muted small">{meanings[reason]}</div>
	</>
);
