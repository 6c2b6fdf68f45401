import type { CallResult } from "@reelmill/client";
import { getRouteApi } from "@tanstack/react-router";
import { usePages } from "../../../api/api.tsx";
import { LinkButton } from "../../../components/button.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Page } from "../../../components/page.tsx";
import { Segments } from "../../../components/segments.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { IllBadge } from "../ill-badge.tsx";
import { formatSpeed, JobLink } from "../job-links.tsx";

const route = getRouteApi("/operator/workers");
type Worker = CallResult<"listWorkers">["data"][number];

/** The workers of the last week. It reads again every 5 s. */
export function Workers() {
	const { state } = route.useSearch();
	const wanted = state === "present" || state === "gone" ? state : undefined;
	const query = usePages("listWorkers", { query: { state: wanted } }, { every: 5000, keep: true });
	const segment = (label: string, value: string | undefined) => ({
		label,
		search: { state: value },
		isCurrent: wanted === value,
	});
	return (
		<Page title="Workers" actions={<LinkButton to="/operator/service-accounts">Service accounts</LinkButton>}>
			<Segments
				label="Presence"
				segments={[segment("All", undefined), segment("Present", "present"), segment("Gone", "gone")]}
			/>
			<Loaded query={query}>
				{() =>
					query.items.length === 0 ? (
						<NoWorkers />
					) : (
						<>
							<Table
								label="Workers"
								rows={query.items}
								rowKey={({ name }) => name}
								columns={[
									{ name: "Worker", cell: ({ worker }) => worker },
									{
										name: "Service account",
										wide: true,
										cell: ({ service_account: account }) => account ?? <span className="muted">deleted</span>,
									},
									{ name: "Presence", cell: (worker) => <Presence worker={worker} /> },
									{ name: "Working on", cell: ({ jobs }) => <Jobs jobs={jobs} /> },
									{ name: "Also takes", wide: true, cell: ({ takes }) => taken(takes) },
									{ name: "Address", wide: true, cell: ({ address }) => address ?? <span className="muted">–</span> },
									{ name: "Seen", numeric: true, cell: ({ seen_at }) => <Time at={seen_at} /> },
									{ name: "First seen", numeric: true, wide: true, cell: ({ first_seen_at: at }) => <Time at={at} /> },
								]}
							/>
							<More query={query} count={query.items.length} />
						</>
					)
				}
			</Loaded>
		</Page>
	);
}

const Presence = ({ worker: { is_present: isPresent, fault, jobs } }: { worker: Worker }) =>
	isPresent && fault !== null ? (
		<IllBadge fault={fault} />
	) : isPresent ? (
		<StateBadge state={jobs.length > 0 ? "working" : "idle"} tone="good" />
	) : (
		<StateBadge state="gone" tone={jobs.length > 0 ? "bad" : "idle"} />
	);

const Jobs = ({ jobs }: { jobs: Worker["jobs"] }) =>
	jobs.length === 0 ? (
		<span className="muted">nothing</span>
	) : (
		jobs.map((job) => (
			<span key={job.id} className="row">
				<JobLink {...job} /> <span className="numeric muted">{formatSpeed(job.speed)}</span>
			</span>
		))
	);

const taken = (takes: Worker["takes"]): string =>
	Object.entries(takes)
		.filter(([, does]) => does)
		.map(([name]) => (name === "sandbox" ? "the sandbox's jobs" : name))
		.join(", ") || "nothing else";

const NoWorkers = () => (
	<Empty title="No workers to show">
		<p>
			Workers are listed for a week after they were last seen. To add one, create a service account and start the
			transcoder with it.
		</p>
		<LinkButton to="/operator/service-accounts">Create a service account</LinkButton>
	</Empty>
);
