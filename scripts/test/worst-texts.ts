import { expect, it } from "vitest";

/** Nothing may keep all others from their turn for longer. */
const mostMilliseconds = 20;
const times = 20;

/**
 * A text that is hard to read for what reads it. A promise may take as long as it likes, if it lets others have their
 * turn.
 */
export type WorstText = readonly [reader: string, what: string, text: string, read: (text: string) => unknown];

/** A megabyte of `piece`. */
export const megabyteOf = (piece: string): string => piece.repeat(Math.ceil(1_048_576 / piece.length));

/**
 * How many milliseconds of the processor the longest turn of the event loop takes while `work` is done: the least of
 * several times, or the first that is short enough. Not by the clock: others use the machine, too.
 */
export async function heldMilliseconds(work: () => unknown): Promise<number> {
	let least = Number.POSITIVE_INFINITY;
	for (let time = 0; time < times && least >= mostMilliseconds; time++)
		least = Math.min(least, await longestTurn(work));
	return least;
}

async function longestTurn(work: () => unknown): Promise<number> {
	let longest = 0;
	let isDone = false;
	let before = process.threadCpuUsage();
	const look = () => {
		const { user, system } = process.threadCpuUsage(before);
		longest = Math.max(longest, (user + system) / 1000);
		before = process.threadCpuUsage();
		if (!isDone) setImmediate(look);
	};
	setImmediate(look);
	await attempt(work);
	isDone = true;
	look();
	return longest;
}

/** A refusal is as good an answer as any other. */
const attempt = async (work: () => unknown): Promise<void> => {
	try {
		await work();
	} catch {}
};

/** One test a row. */
export function provesQuick(rows: readonly WorstText[]): void {
	it.each(rows)("%s holds the event loop for less than 20 ms over %s", async (_reader, _what, text, read) => {
		expect(await heldMilliseconds(() => read(text))).toBeLessThan(mostMilliseconds);
	});
}
