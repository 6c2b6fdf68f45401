import type { CallResult } from "@reelmill/client";
import { usePages } from "../../../api/api.tsx";
import { LinkButton } from "../../../components/button.tsx";
import { Empty } from "../../../components/empty.tsx";
import { Loaded } from "../../../components/loaded.tsx";
import { Progress } from "../../../components/meter.tsx";
import { StateBadge } from "../../../components/state-badge.tsx";
import { Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { workerName } from "../../../format/worker-name.ts";
import { IllBadge } from "../ill-badge.tsx";
import { DomainLink, formatSpeed, JobLink } from "../job-links.tsx";

type Worker = CallResult<"listWorkers">["data"][number];
type Row = { readonly key: string; readonly worker: Worker; readonly job: Worker["jobs"][number] | null };

const Job = ({ worker: { fault }, job }: Row) => {
	if (job !== null) return <JobLink {...job} />;
	return fault === null ? <StateBadge state="idle" /> : <IllBadge fault={fault} />;
};

/** The workers that are there now. */
export const useWorkersNow = () =>
	usePages("listWorkers", { query: { state: "present", limit: 100 } }, { every: 3000 });

/** Every worker that is there, with the job that it has. */
export function WorkersNow() {
	const query = useWorkersNow();
	const rows = query.items.flatMap((worker): Row[] =>
		worker.jobs.length === 0
			? [{ key: worker.name, worker, job: null }]
			: worker.jobs.map((job) => ({ key: `${worker.name} ${job.id}`, worker, job })),
	);
	return (
		<Loaded query={query}>
			{() =>
				rows.length === 0 ? (
					<Empty title="No worker is connected">
						<p>
							Uploads wait until one connects. The server's own workers start with the server; others need a service
							account.
						</p>
						<LinkButton to="/operator/service-accounts">Create a service account</LinkButton>
					</Empty>
				) : (
					<Table
						label="Workers and their jobs"
						rows={rows}
						rowKey={({ key }) => key}
						columns={[
							{ name: "Worker", cell: ({ worker }) => workerName(worker.name) },
							{ name: "Job", cell: (row) => <Job {...row} /> },
							{ name: "Domain", wide: true, cell: ({ job }) => job && <DomainLink slug={job.domain_slug} /> },
							{
								name: "Progress",
								wide: true,
								cell: ({ job }) => job && <Progress label={`${job.progress} %`} share={job.progress / 100} />,
							},
							{ name: "Speed", numeric: true, cell: ({ job }) => job && formatSpeed(job.speed) },
							{ name: "Since", numeric: true, cell: ({ job }) => job && <Time at={job.since} none="–" /> },
						]}
					/>
				)
			}
		</Loaded>
	);
}
