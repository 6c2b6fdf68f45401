import sql, { empty, join, type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import type { EngineClock } from "./engine-clock.ts";

/** What somebody wants to know of the database each second. */
export type PulseQuestion = {
	/** SQL: a boolean that costs some probes of indexes; null if nobody needs the answer now. */
	readonly question: () => Sql | null;
	/** Called with the answer. */
	readonly answered: (isTrue: boolean) => unknown;
};

/**
 * Asks the database once a second, in one statement, all that this server has to know in time: the database's clock,
 * and whether there is work that other servers queued. It needs no connection of its own, so it works behind a
 * transaction pooler.
 */
export type Pulse = {
	/** Adds a question. */
	ask(question: PulseQuestion): void;
	/** Keeps the pulse beating until the function that it returns is called. */
	hold(): () => void;
	/** Resolves when the pulse beats no more, whoever holds it. */
	stop(): Promise<void>;
};

const beatMilliseconds = 1000;

export function createPulse({ database, clock, logger }: Parts, { time }: { time: EngineClock }): Pulse {
	const questions: PulseQuestion[] = [];
	const stopping = new AbortController();
	let holders = 0;
	let resting = new AbortController();
	let beating: Promise<void> | null = null;

	const beat = async (): Promise<void> => {
		const asked = questions.flatMap(({ question, answered }) => {
			const text = question();
			return text === null ? [] : [{ text, answered }];
		});
		if (asked.length === 0 && !time.isMeasured) return;
		await time.measure(async () => {
			const answers = asked.length === 0 ? empty : sql`, array[${join(asked.map(({ text }) => text))}] as answers`;
			const [row] = await database.query<{ at: number; answers?: boolean[] }>(
				sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at${answers}`,
			);
			for (const [index, { answered }] of asked.entries()) answered(row?.answers?.[index] === true);
			return row?.at;
		});
	};
	const run = async (): Promise<void> => {
		while (holders > 0 && !stopping.signal.aborted) {
			await clock.sleep(beatMilliseconds, AbortSignal.any([stopping.signal, resting.signal]));
			if (holders === 0 || stopping.signal.aborted) break;
			await beat().catch((error: unknown) => logger.error({ error, loop: "pulse" }, "a background run failed"));
		}
		beating = null;
	};
	return {
		ask: (question) => void questions.push(question),
		hold() {
			if (holders++ === 0 && resting.signal.aborted) resting = new AbortController();
			beating ??= run();
			let isHeld = true;
			return () => {
				if (!isHeld) return;
				isHeld = false;
				if (--holders === 0) resting.abort();
			};
		},
		async stop() {
			stopping.abort();
			await beating;
		},
	};
}
