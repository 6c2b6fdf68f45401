import sql, { type Sql } from "sql-template-tag";
import type { Taker } from "./claimant.ts";
import { wasSeen } from "./note-worker.ts";

/** How long a job waits for another worker than those that were at fault when they had it, if another one is there. */
const patienceMilliseconds = 600_000;

/**
 * SQL: whether job `j` may go to this worker. A worker that gave the job back because it was at fault itself gets it
 * again only if no other worker is there: none that is well, works or asked for jobs lately, and takes such jobs; or if
 * ten minutes have passed.
 */
export const mayHave = ({ worker }: Pick<Taker, "worker">, now: Date): Sql => sql`
	not (${worker} = any(j.given_back_by) and j.given_back_at > ${new Date(now.getTime() - patienceMilliseconds)} and exists (
		select from reelmill.workers_seen s where s.name <> all(j.given_back_by) and s.fault is null and (j.rank = 0 or s.takes_sandbox)
			and (${wasSeen(now)} or exists (select from reelmill.jobs held where held.worker = s.name and held.lock is not null and held.lock_expires_at > ${now}))))`;

/** SQL: whether a job waits that is kept from workers which gave it back. */
export const isAnyKept = (now: Date): Sql =>
	sql`exists (select from reelmill.jobs j where j.lock is null and j.not_before <= ${now} and j.given_back_by <> '{}')`;
