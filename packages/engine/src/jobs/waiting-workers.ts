import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";

export type WaitingWorkers = {
	/** Does `wait` while others are told that a worker on this machine waits, until `until` at the latest. */
	during<T>(waiting: { readonly machine: string | null; readonly until: number }, wait: () => Promise<T>): Promise<T>;
	/** Counts the machines but this one on which a worker waits, whichever server it asked. */
	countBeside(machine: string | null): Sql;
};

/** Who could help with a video that is claimed now: a row for each claim that waits, written once and not per poll. */
export function createWaitingWorkers({ database, clock, random }: Parts): WaitingWorkers {
	return {
		async during({ machine, until }, wait) {
			const id = random.uuid();
			await database.query(sql`
				with ended as (delete from reelmill.waiting_workers where until <= ${new Date(clock.now())} returning id)
				insert into reelmill.waiting_workers (id, machine, until) values (${id}, ${machine ?? id}, ${new Date(until)})`);
			try {
				return await wait();
			} finally {
				// One that stays is forgotten when its time is over.
				await database.query(sql`delete from reelmill.waiting_workers where id = ${id}`).catch(() => undefined);
			}
		},
		countBeside: (machine) => sql`
			(select count(distinct w.machine) from reelmill.waiting_workers w where w.until > ${new Date(clock.now())} and w.machine is distinct from ${machine})`,
	};
}
