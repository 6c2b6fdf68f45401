import sql, { join, type Sql } from "sql-template-tag";
import { maxFruitlessLosses, maxWorkerFaults } from "../attempts/give-back.ts";
import type { Claimant, Taker } from "./claimant.ts";
import { type LateKind, lateKinds } from "./late-kinds.ts";
import { wasSeen } from "./note-worker.ts";

/** How long a job waits for another worker than those that lost it or were at fault, if another one is there. */
const patienceMilliseconds = 600_000;

/** No job is kept from more workers. */
export const mostKeptFrom = maxWorkerFaults - 1 + (maxFruitlessLosses - 1);

/** SQL: of a row that waits for a worker, those that had it in vain (at fault, or lost: one may be back), and since when. */
type Row = { readonly hadIt: Sql; readonly since: Sql };
const ofJob: Row = { hadIt: sql`(j.given_back_by || j.lost_by)`, since: sql`j.given_back_at` };
/** A late job whose worker was lost waits with its lock. */
const ofLate: Row = {
	hadIt: sql`(t.given_back_by || case when t.lock is null then '{}' else array[coalesce(t.worker, '')] end)`,
	since: sql`greatest(t.given_back_at, case when t.lock is not null then t.lock_expires_at end)`,
};

/**
 * SQL: whether a row may go to this worker. A worker that had it in vain gets it again only if no other worker is there:
 * none that is well, works or asked for jobs lately, and takes such jobs; or if ten minutes have passed.
 */
function mayHave({ hadIt, since }: Row, { worker }: Pick<Taker, "worker">, takesIt: Sql, now: Date): Sql {
	const tables = [sql`reelmill.jobs`, ...lateKinds.map(({ table }) => table)];
	const working = tables.map(
		(table) => sql`select held.worker from ${table} held where held.lock is not null and held.lock_expires_at > ${now}`,
	);
	// An array is read once and only if it is needed. Asked for each row, it would look so dear to the planner that it
	// took any plan for the rest of the claim.
	return sql`
		not (${worker} = any(${hadIt}) and ${since} > ${new Date(now.getTime() - patienceMilliseconds)} and exists (
			select from reelmill.workers_seen s where s.name <> all(${hadIt}) and s.fault is null and ${takesIt}
				and (${wasSeen(now)} or s.name = any(array(${join(working, " union all ")})))))`;
}

/** SQL: whether job `j` may go to this worker. */
export const mayHaveJob = (claimant: Pick<Taker, "worker">, now: Date): Sql =>
	mayHave(ofJob, claimant, sql`(j.rank = 0 or s.takes_sandbox) and (j.clip_not_before is null or s.takes_clips)`, now);
/** SQL: whether late job `t` of video `v` may go to this worker. */
export const mayHaveLate = ({ isTakenBy }: LateKind, claimant: Pick<Taker, "worker">, now: Date): Sql =>
	mayHave(ofLate, claimant, sql`${isTakenBy} and (v.session_id is null or s.takes_sandbox)`, now);

/**
 * SQL: whether something waits that such a worker takes, and that is kept from workers which had it in vain. A worker
 * that got nothing asks this, so not much waits for it.
 */
export function isAnyKept(claimant: Omit<Claimant, "worker" | "machine" | "takesChunks">, now: Date): Sql {
	const ofKinds = lateKinds
		.filter(({ takes }) => takes(claimant))
		.map(
			({ table }) =>
				sql`exists (select from ${table} t where (t.lock is null or t.lock_expires_at <= ${now}) and t.not_before <= ${now} and ${ofLate.hadIt} <> '{}')`,
		);
	const ofVideos = sql`exists (select from reelmill.jobs j where j.lock is null and ${claimant.takesSandbox ? sql`true` : sql`j.rank = 0`} and coalesce(j.clip_not_before, j.not_before) <= ${now} and ${ofJob.hadIt} <> '{}')`;
	return sql`(${join([ofVideos, ...ofKinds], " or ")})`;
}
