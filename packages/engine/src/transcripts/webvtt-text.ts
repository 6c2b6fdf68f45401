/** Others have their turn after so many characters. */
const sliceCharacters = 8192;
/** What is longer is no cue that anybody spoke, and is cut. */
const longestCue = 8192;

/**
 * The spoken words of a WebVTT file: each cue's text on a line of its own, without times, ids, notes and tags (W3C
 * WebVTT, section 4). Of a cue 8192 characters count. The file may be anybody's: it is read in slices, between which
 * others have their turn.
 */
export async function textOfWebVtt(file: string): Promise<string> {
	const texts: string[] = [];
	/** The lines of the cue that is being read; null outside of one. */
	let cue: string | null = null;
	let left = sliceCharacters;
	const endCue = () => {
		const text = cue === null ? "" : plain(cue);
		if (text !== "") texts.push(text);
		cue = null;
	};
	for (const line of linesOf(file)) {
		left -= line.length + 1;
		if (left <= 0) {
			await new Promise((resolve) => setImmediate(resolve));
			left = sliceCharacters;
		}
		if (line === "") endCue();
		else if (cue === null) cue = line.includes("-->") ? "" : null;
		else if (cue.length < longestCue) cue += `${line.slice(0, longestCue - cue.length)} `;
	}
	endCue();
	return texts.join("\n");
}

function* linesOf(file: string): Generator<string> {
	let start = 0;
	for (const { index, 0: end } of file.matchAll(/\r\n?|\n/g)) {
		yield file.slice(start, index);
		start = index + end.length;
	}
	yield file.slice(start);
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
