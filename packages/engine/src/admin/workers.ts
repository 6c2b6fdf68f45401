import type { SeenWorker, SeenWorkerPage } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import { wasSeen } from "../jobs/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { atWork, type WorkRow, work, workDetails, workJoins } from "./work.ts";

export type WorkersRequest = PageRequest & { readonly state?: "present" | "gone" | undefined };

/** What an operator sees of the workers. */
export type WorkersView = {
	/**
	 * Returns a page of the workers that were seen within a week, those first that were first seen last, each with the
	 * jobs that it has.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	listWorkers(request: WorkersRequest): Promise<SeenWorkerPage>;
};

type WorkerRow = {
	readonly id: string;
	readonly name: string;
	readonly account_id: string;
	readonly account: string | null;
	readonly worker: string;
	readonly address: string | null;
	readonly machine: string | null;
	readonly takes_chunks: boolean;
	readonly takes_transcripts: boolean;
	readonly takes_clips: boolean;
	readonly takes_posters: boolean;
	readonly takes_sandbox: boolean;
	readonly is_present: boolean;
	readonly fault: string | null;
	readonly created_at: Date;
	readonly seen_at: Date;
};

export function createWorkersView(
	{ database, clock }: Parts,
	{ pages, windows: { lock: lockSeconds } }: { pages: Pages; windows: Pick<Windows, "lock"> },
): WorkersView {
	const jobsOf = (names: readonly string[]) =>
		database.query<WorkRow>(sql`
			select w.*, ${workDetails} from ${work} w ${workJoins}
			where w.worker = any(${[...names]}::text[]) and w.lock is not null order by w.since, w.id`);
	return {
		async listWorkers({ state, ...request }) {
			const listing = { route: "listWorkers", scope: operatorScope, filter: state ?? null } as const;
			const now = new Date(clock.now());
			const isPresent = sql`(${wasSeen(now)}
				or s.name in (select worker from ${work} w where w.lock is not null and w.lock_expires_at > ${now} and w.worker is not null))`;
			const inState = { present: sql`where is_present`, gone: sql`where not is_present` };
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<WorkerRow>(sql`
					select p.*, (select a.name from reelmill.service_accounts a where a.id = p.account_id) as account
					from (select s.*, ${isPresent} as is_present from reelmill.workers_seen s) p ${state === undefined ? sql`where true` : inState[state]} ${keyset}`),
			);
			const jobs = rows.length === 0 ? [] : await jobsOf(rows.map(({ name }) => name));
			return { data: rows.map((row) => viewWorker(row, jobs, lockSeconds)), next_cursor: nextCursor };
		},
	};
}

function viewWorker(row: WorkerRow, all: readonly WorkRow[], lockSeconds: number): SeenWorker {
	const held = all.filter(({ worker }) => worker === row.name);
	const heartbeats = held.map(({ lock_expires_at: ends }) => (ends?.getTime() ?? 0) - lockSeconds * 1000);
	return {
		name: row.name,
		service_account_id: row.account_id,
		service_account: row.account,
		worker: row.worker,
		address: row.address,
		machine: row.machine,
		takes: {
			chunks: row.takes_chunks,
			transcripts: row.takes_transcripts,
			clips: row.takes_clips,
			posters: row.takes_posters,
			sandbox: row.takes_sandbox,
		},
		is_present: row.is_present,
		fault: row.fault,
		first_seen_at: row.created_at.toISOString(),
		seen_at: new Date(Math.max(row.seen_at.getTime(), ...heartbeats)).toISOString(),
		jobs: held.map((job) => ({
			id: job.id,
			kind: job.kind,
			video_id: job.video_id,
			external_ref: job.external_ref,
			domain_id: job.domain_id,
			domain_slug: job.domain_slug,
			attempt: job.attempt,
			...atWork(job, lockSeconds),
		})),
	};
}
