import { createTurns, linesOf } from "../system/index.ts";

/** A longer cue can't be speech. The rest of it is ignored. */
const longestCue = 8192;

/**
 * Returns the spoken words of a WebVTT file: the text of each cue on a line of its own, without times, ids, notes and
 * tags (W3C WebVTT, section 4). Only the first 8192 characters of a cue count. The file may come from anybody: it is
 * read in slices, so that a large one doesn't block the process.
 */
export async function textOfWebVtt(file: string): Promise<string> {
	const texts: string[] = [];
	/** The text of the cue that is being read; null outside of cues. */
	let cue: string | null = null;
	const turn = createTurns();
	const endCue = () => {
		const text = cue === null ? "" : plain(cue);
		if (text !== "") texts.push(text);
		cue = null;
	};
	for (const line of linesOf(file)) {
		const others = turn(line.length + 1);
		if (others !== undefined) await others;
		if (line === "") endCue();
		else if (cue === null) cue = line.includes("-->") ? "" : null;
		else if (cue.length < longestCue) cue += `${line.slice(0, longestCue - cue.length)} `;
	}
	endCue();
	return texts.join("\n");
}

const entities: Readonly<Record<string, string>> = {
	amp: "&",
	lt: "<",
	gt: ">",
	nbsp: "\u00a0",
	lrm: "\u200e",
	rlm: "\u200f",
};
const plain = (cue: string): string =>
	cue
		.replaceAll(/<[^<>]*>/g, "")
		.replaceAll(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
		.trim();
