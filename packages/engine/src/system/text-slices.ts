/** After so many characters, other work of the process gets its turn. */
const sliceCharacters = 8192;

/**
 * Makes a function that a long loop calls with the number of characters it has done. Now and then the function returns
 * a promise: awaiting it gives other work of the process its turn.
 */
export function createTurns(): (characters: number) => Promise<void> | undefined {
	let left = sliceCharacters;
	return (characters) => {
		left -= characters;
		if (left > 0) return undefined;
		left = sliceCharacters;
		return new Promise((resolve) => setImmediate(resolve));
	};
}

/** Yields the lines of a text, which may end in any of the three ways. */
export function* linesOf(text: string): Generator<string> {
	let start = 0;
	for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
		yield text.slice(start, index);
		start = index + end.length;
	}
	yield text.slice(start);
}
