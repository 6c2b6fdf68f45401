/** A row's place in the order of an index: its time as the database writes it, and its id. */
export type Place = { readonly at: string; readonly id: string };

/** Looks at the next `most` rows after a place. Returns how many they were, and the place of the last. */
export type Step = (after: Place, most: number) => Promise<{ readonly seen: number; readonly last: Place | null }>;

const beginning: Place = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

/**
 * Returns a function that goes through rows in small steps, a bounded number of them per call. The next call goes on
 * where the last one ended, and begins anew after the last row. So rows that have to stay, however many, hold up
 * nothing that comes after them.
 */
export function createWalk(
	step: Step,
	{ most, steps }: { readonly most: number; readonly steps: number },
): () => Promise<void> {
	let place = beginning;
	return async () => {
		for (let count = 0; count < steps; count++) {
			const { seen, last } = await step(place, most);
			place = seen < most || last === null ? beginning : last;
			if (seen < most) return;
		}
	};
}
