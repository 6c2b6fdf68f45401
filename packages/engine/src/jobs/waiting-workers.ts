import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";

export type WaitingWorkers = {
	/** Runs `wait`. Meanwhile, but not after `until`, other servers count a worker on this machine as waiting. */
	during<T>(waiting: { readonly machine: string | null; readonly until: number }, wait: () => Promise<T>): Promise<T>;
	/** SQL: counts the other machines on which a worker waits, whichever server it asked. */
	countBeside(machine: string | null): Sql;
};

/** Knows which workers could help with a video. Each waiting claim has a row, which is written once, not per poll. */
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
				// A row that stays is deleted after `until`.
				await database.query(sql`delete from reelmill.waiting_workers where id = ${id}`).catch(() => undefined);
			}
		},
		countBeside: (machine) => sql`
			(select count(distinct w.machine) from reelmill.waiting_workers w where w.until > ${new Date(clock.now())} and w.machine is distinct from ${machine})`,
	};
}
