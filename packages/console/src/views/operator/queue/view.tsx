import type { CallResult } from "@reelmill/client";
import { getRouteApi } from "@tanstack/react-router";
import { useCall } from "../../../api/api.tsx";
import { Figures } from "../../../components/figures.tsx";
import { Loaded, useTogether } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Panel } from "../../../components/panel.tsx";
import { Segments } from "../../../components/segments.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { Age } from "../../../components/time.tsx";
import { formatCount } from "../../../format/amounts.ts";
import { ByDomain } from "./by-domain.tsx";
import { JobTable } from "./job-table.tsx";
import { useWorkersNow, WorkersNow } from "./workers-now.tsx";

const route = getRouteApi("/operator/queue");
const states = { waiting: "Waiting", running: "Running" } as const;

/** What waits, what runs, and who does it. It reads again every 3 s. */
export function Queue() {
	const { domain, state } = route.useSearch();
	const query = useCall("getQueue", {}, { every: 3000 });
	const isHere = useTogether([query, useWorkersNow()]);
	return (
		<Page title="Queue" beside={query.data && <Verdict queue={query.data} />}>
			{isHere ? (
				<div className="parts">
					<Loaded query={query}>
						{(queue) => (
							<div className="parts">
								<Figures label="The queue now" figures={figuresOf(queue)} />
								{queue.domains.length > 0 && (
									<Panel title="By domain">
										<ByDomain domains={queue.domains} />
									</Panel>
								)}
							</div>
						)}
					</Loaded>
					<Panel title="Workers">
						<WorkersNow />
					</Panel>
					<Panel
						title={domain === undefined ? "Jobs, oldest first" : "Jobs of one domain, oldest first"}
						actions={
							<Segments
								label="State of the jobs"
								segments={[
									{
										label: domain === undefined ? "All" : "All domains",
										search: { state: undefined, domain: undefined },
										isCurrent: state === undefined && domain === undefined,
									},
									...(["waiting", "running"] as const).map((each) => ({
										label: states[each],
										search: { state: each },
										isCurrent: state === each,
									})),
								]}
							/>
						}
					>
						<JobTable domainId={domain} state={state === "waiting" || state === "running" ? state : undefined} />
					</Panel>
				</div>
			) : (
				<Skeleton />
			)}
		</Page>
	);
}

type QueueNow = CallResult<"getQueue">;

/** Whether somebody should do something. */
function Verdict({ queue }: { queue: QueueNow }) {
	if (queue.waiting > 0 && queue.running === 0)
		return (
			<StateBadge state="stuck" tone="warn">
				nothing runs
			</StateBadge>
		);
	return queue.waiting + queue.running === 0 ? (
		<StateBadge state="idle" />
	) : (
		<StateBadge state="running" tone="good">
			moving
		</StateBadge>
	);
}

const figuresOf = (queue: QueueNow) => [
	{ name: "Waiting", value: formatCount(queue.waiting) },
	{ name: "Running", value: formatCount(queue.running) },
	{ name: "Oldest waiting", value: <Age at={queue.oldest_queued_at} none="–" /> },
	{
		name: "Held back",
		value: formatCount(queue.held_back),
		hint: queue.held_back > 0 ? "by their domain's limit" : undefined,
	},
	{ name: "Late transcripts", value: formatCount(queue.transcripts_waiting) },
];
