/** About a millisecond of work. */
const sliceCharacters = 16_384;

/**
 * Called with how many characters were done: waits until others had their turn, now and then, so that no text holds
 * them up, however long.
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

/** What `each` makes of the items, in slices by the length of their text. */
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
