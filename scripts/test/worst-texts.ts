import { expect, it } from "vitest";

/** Nothing may keep all others from their turn for longer. */
const mostMilliseconds = 20;
/** On a slow machine, it may take as long as this many passes over a megabyte that replace each character. */
const mostPasses = 2;
const times = 40;

/**
 * A text that is hard to read for what reads it. A promise may take as long as it likes, if it lets others have their
 * turn.
 */
export type WorstText = readonly [reader: string, what: string, text: string, read: (text: string) => unknown];

/** A megabyte of `piece`. */
export const megabyteOf = (piece: string): string => piece.repeat(Math.ceil(1_048_576 / piece.length));

/**
 * Fails if `work` holds the event loop for long. What counts is the processor time of its longest turn, as others use
 * the machine, too: the least of several times, or the first that is short enough.
 */
export async function provesShortTurns(work: () => unknown): Promise<void> {
	const quotes = megabyteOf('"');
	let least = Number.POSITIVE_INFINITY;
	let pass = Number.POSITIVE_INFINITY;
	let most = mostMilliseconds;
	for (let time = 0; time < times && least >= most; time++) {
		least = Math.min(least, await longestTurn(work));
		if (least < mostMilliseconds) return;
		pass = Math.min(pass, await longestTurn(() => quotes.replaceAll('"', "")));
		most = Math.max(mostMilliseconds, mostPasses * pass);
	}
	expect(least, `milliseconds of the longest turn; a pass over a megabyte took ${pass}`).toBeLessThan(most);
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
	it.each(rows)("%s holds the event loop for milliseconds over %s", (_reader, _what, text, read) =>
		provesShortTurns(() => read(text)),
	);
}
