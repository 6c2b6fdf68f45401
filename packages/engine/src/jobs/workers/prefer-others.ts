import sql, { type Sql } from "sql-template-tag";
import { maxFruitlessLosses, maxWorkerFaults } from "../attempts/give-back.ts";
import type { Taker } from "./claimant.ts";
import { wasSeen } from "./note-worker.ts";

/** How long a job waits for another worker than those that lost it or were at fault, if another one is there. */
const patienceMilliseconds = 600_000;

/** SQL: the workers that job `j` had in vain: they were at fault, or lost. One that was lost may be back. */
const hadIt = sql`(j.given_back_by || j.lost_by)`;
/** No job is kept from more workers. */
export const mostKeptFrom = maxWorkerFaults - 1 + (maxFruitlessLosses - 1);

/**
 * SQL: whether job `j` may go to this worker. A worker that gave the job back because it was at fault itself, or that
 * was lost with it, gets it again only if no other worker is there: none that is well, works or asked for jobs lately,
 * and takes such jobs; or if ten minutes have passed.
 */
export const mayHave = ({ worker }: Pick<Taker, "worker">, now: Date): Sql => sql`
	not (${worker} = any(${hadIt}) and j.given_back_at > ${new Date(now.getTime() - patienceMilliseconds)} and exists (
		select from reelmill.workers_seen s where s.name <> all(${hadIt}) and s.fault is null and (j.rank = 0 or s.takes_sandbox)
			and (${wasSeen(now)} or exists (select from reelmill.jobs held where held.worker = s.name and held.lock is not null and held.lock_expires_at > ${now}))))`;

/** SQL: whether a job waits that is kept from workers which had it in vain. */
export const isAnyKept = (now: Date): Sql =>
	sql`exists (select from reelmill.jobs j where j.lock is null and j.not_before <= ${now} and ${hadIt} <> '{}')`;
