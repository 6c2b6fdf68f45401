import type { Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import type { Duties, Duty } from "./duties.ts";

/**
 * What a noun has to do from time to time. Many servers may do it at once, each as often as it likes. Without `due` it
 * is done about once a minute.
 */
export type Chore = (() => Promise<unknown>) & {
	/** SQL: whether there is something to do, for a chore that can't wait for a minute. */
	readonly due?: () => Sql;
};
export type Chores = { readonly [name: string]: Chore };

/** Makes a chore that is done with the next sweep once the condition holds. */
export const whenDue = (due: () => Sql, work: () => Promise<unknown>): Chore => Object.assign(() => work(), { due });

export type Sweeper = {
	/** Does each chore once, in order. A chore that fails is logged and doesn't stop the others. It never rejects. */
	sweep(): Promise<void>;
	/**
	 * Does those that are due, if it is this server's turn to sweep. One statement finds that out. Rejects if the
	 * database doesn't answer that.
	 */
	sweepDue(): Promise<void>;
};

/** So many sweeps lie between two runs of a chore that doesn't say when it is due. */
const seldom = 12;

/** Does what only time brings about. No chore asks a bucket, so that a silent bucket can't delay the others. */
export function createSweeper(
	{ logger }: Parts,
	{
		chores,
		local,
		ownChores,
		duties,
		isOwnStorage,
	}: {
		chores: Chores;
		/** Which chores work on the local storage: they are for a server that has it. */
		local: readonly string[];
		/** What each server has to do for itself, and never asks the database. */
		ownChores: Chores;
		duties: Duties;
		/** Whether the local storage is the installation's; null if that is unknown. */
		isOwnStorage: () => boolean | null;
	},
): Sweeper {
	const all = Object.entries(chores).map(([task, run]) => {
		const duty: Duty = local.includes(task) ? "local storage" : "sweeps";
		return { task, run, duty };
	});
	const prompt = all.flatMap((chore) => (chore.run.due ? [{ ...chore, due: chore.run.due }] : []));
	const others = all.filter(({ run }) => run.due === undefined);
	let turns = 0;

	const run = async ({ task, run: work }: { task: string; run: Chore }): Promise<void> => {
		await work().catch((error: unknown) => logger.error({ error, task }, "a sweep could not be finished"));
	};
	const runOwn = async () => {
		for (const [task, work] of Object.entries(ownChores)) await run({ task, run: work });
	};
	return {
		async sweep() {
			for (const chore of all) await run(chore);
			await runOwn();
		},
		async sweepDue() {
			await runOwn();
			const wanted: Duty[] = isOwnStorage() === false ? ["sweeps"] : ["sweeps", "local storage"];
			const turn = await duties.take(
				wanted,
				prompt.map(({ due }) => due()),
			);
			const isTime = turns++ % seldom === 0;
			const now = [...prompt.filter((_, place) => turn.isDue(place)), ...(isTime ? others : [])];
			for (const chore of now) if (turn.has(chore.duty)) await run(chore);
		},
	};
}
