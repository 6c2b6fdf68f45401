/** How many characters are about a millisecond of work. */
const sliceCharacters = 16_384;

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

/** Maps the items by `each`, and gives other work its turn after every slice of text. */
export async function mapInSlices<Item extends { readonly text: string }, Made>(
	items: Iterable<Item>,
	each: (item: Item) => Made,
): Promise<Made[]> {
	const turn = createTurns();
	const made: Made[] = [];
	for (const item of items) {
		made.push(each(item));
		const others = turn(item.text.length + 32);
		if (others !== undefined) await others;
	}
	return made;
}
