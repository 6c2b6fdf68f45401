import sql, { type Sql } from "sql-template-tag";
import type { Pulse } from "../../background/index.ts";
import type { Parts } from "../../system/index.ts";
import type { Claimant } from "./claimant.ts";

export type WaitingWorkers = {
	/**
	 * Notes that a worker waits, so that other servers count its machine. Resolves, once that is noted, with the function
	 * to be called when it waits no longer. A worker that is told to be soon back stays noted for some seconds.
	 */
	enter(claimant: Pick<Claimant, "worker" | "machine">): Promise<(isSoonBack: boolean) => void>;
	/** Whether `refresh` may have something to do: rows of workers, or what couldn't be written. */
	isInUse(): boolean;
	/** Prolongs the rows of those who wait, and removes those of workers that did not come back. */
	refresh(): void;
	/** SQL: counts the other machines on which a worker waits, whichever server it asked. */
	countBeside(machine: string | null): Sql;
};

type Present = { readonly machine: string; leftAt: number | null; until: number };

/** The rows of a killed server end after this time. */
const rowMilliseconds = 120_000;
const prolongMilliseconds = 60_000;
/** A worker that got no job asks again at once. */
const backMilliseconds = 3000;

/**
 * Knows which workers could help with a video. Each has a row. What changes while a statement runs is written by the
 * next one, for all workers together, and a worker that asks again finds its row.
 */
export function createWaitingWorkers(
	{ database, clock, random, logger }: Parts,
	{ pulse }: { pulse: Pick<Pulse, "hold"> },
): WaitingWorkers {
	const present = new Map<string, Present>();
	let [added, removed]: [Set<string>, Set<string>] = [new Set(), new Set()];
	let writing: Promise<void> | null = null;
	/** Lets the pulse rest that beats until what failed is written. */
	let rest: (() => void) | null = null;

	const write = async (): Promise<void> => {
		const [ids, gone] = [[...added].filter((id) => present.has(id)), [...removed]];
		[added, removed] = [new Set(), new Set()];
		const until = clock.now() + rowMilliseconds;
		const machines = ids.map((id) => present.get(id)?.machine ?? id);
		for (const id of ids) Object.assign(present.get(id) ?? {}, { until });
		const statement = sql`
			with ended as (delete from reelmill.waiting_workers where until <= ${new Date(clock.now())} or id = any(${gone}::uuid[]) returning id)
			insert into reelmill.waiting_workers (id, machine, until)
			select new.id, new.machine, ${new Date(until)}::timestamptz from unnest(${ids}::uuid[], ${machines}::text[]) as new (id, machine)
			on conflict (id) do update set until = excluded.until`;
		try {
			await database.query(statement);
			rest?.();
			rest = null;
		} catch (error) {
			for (const id of ids) added.add(id);
			for (const id of gone) removed.add(id);
			rest ??= pulse.hold();
			throw error;
		}
	};
	/** Resolves when all that has changed up to now is written, or couldn't be: a missing row makes a worse choice. */
	const save = async (): Promise<void> => {
		await writing;
		if (added.size + removed.size === 0) return;
		writing ??= write()
			.catch((error: unknown) => logger.warn({ error }, "the workers that wait could not be noted"))
			.finally(() => {
				writing = null;
			});
		await writing;
	};
	const forget = (id: string): void => {
		present.delete(id);
		removed.add(id);
	};

	return {
		isInUse: () => present.size > 0 || rest !== null,
		async enter({ worker, machine }) {
			const name = machine ?? `of ${worker} alone`;
			const known = [...present].find(([, one]) => one.leftAt !== null && one.machine === name)?.[0];
			const id = known ?? random.uuid();
			const entry: Present = { machine: name, leftAt: null, until: present.get(id)?.until ?? 0 };
			present.set(id, entry);
			if (known === undefined) {
				added.add(id);
				await save();
			}
			return (isSoonBack) => {
				entry.leftAt = clock.elapsed();
				if (isSoonBack) return;
				forget(id);
				void save();
			};
		},
		refresh() {
			const now = clock.elapsed();
			for (const [id, { leftAt, until }] of present) {
				if (leftAt !== null && now - leftAt >= backMilliseconds) forget(id);
				else if (until - clock.now() < prolongMilliseconds) added.add(id);
			}
			void save();
		},
		countBeside: (machine) => sql`
			(select count(distinct w.machine) from reelmill.waiting_workers w where w.until > ${new Date(clock.now())} and w.machine is distinct from ${machine})`,
	};
}
