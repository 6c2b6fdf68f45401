import { usePages } from "../../../api/api.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { More, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { workerName } from "../../../format/worker-name.ts";
import { DomainLink, formatSpeed, JobLink } from "../job-links.tsx";
import { NoJobs } from "./no-jobs.tsx";

type JobTableProps = { domainId: string | undefined; state: "waiting" | "running" | undefined };

/** Waiting and running jobs in the order in which they were queued. */
export function JobTable({ domainId, state }: JobTableProps) {
	const query = usePages("listJobs", { query: { state, domain_id: domainId } }, { every: 5000, keep: true });
	return (
		<Loaded query={query}>
			{() =>
				query.items.length === 0 ? (
					<NoJobs />
				) : (
					<>
						<Table
							label="Jobs"
							rows={query.items}
							rowKey={({ id, kind }) => `${kind} ${id}`}
							columns={[
								{ name: "Job", cell: (job) => <JobLink {...job} /> },
								{ name: "Domain", cell: ({ domain_slug }) => <DomainLink slug={domain_slug} /> },
								{
									name: "State",
									cell: ({ state: now, progress }) =>
										now === "running" ? (
											<StateBadge state="running">running {progress} %</StateBadge>
										) : (
											<StateBadge state="waiting" tone="idle" />
										),
								},
								{
									name: "Worker",
									wide: true,
									cell: ({ worker }) => (worker === null ? <span className="muted">–</span> : workerName(worker)),
								},
								{ name: "Attempt", numeric: true, wide: true, cell: ({ attempt }) => attempt },
								{ name: "Speed", numeric: true, wide: true, cell: ({ speed }) => formatSpeed(speed) },
								{ name: "Queued", numeric: true, cell: ({ queued_at }) => <Time at={queued_at} /> },
							]}
						/>
						<More query={query} count={query.items.length} />
					</>
				)
			}
		</Loaded>
	);
}
