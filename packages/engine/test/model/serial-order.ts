import { isDeepStrictEqual } from "node:util";
import type { Model } from "./state.ts";
import type { Step } from "./step.ts";

export type Done = { readonly steps: readonly Step[]; readonly observed: string };

/**
 * The model after the actions took place in some order, with what each of them answered, such that `fits` the world as
 * it was found afterwards; null where no order explains it. The steps of one action keep their order; those of others
 * may come between.
 */
export function explain(before: Model, actions: readonly Done[], fits: (after: Model) => boolean): Model | null {
	const seen = new Set<string>();
	const search = (model: Model, places: readonly number[]): Model | null => {
		if (actions.every(({ steps }, index) => places[index] === steps.length)) return fits(model) ? model : null;
		const key = JSON.stringify([places, model]);
		if (seen.has(key)) return null;
		seen.add(key);
		for (const [index, { steps, observed }] of actions.entries()) {
			const step = steps[places[index] ?? 0];
			if (step === undefined) continue;
			const next = structuredClone(model);
			if (!step(next, observed)) continue;
			const found = search(
				next,
				places.map((place, other) => (other === index ? place + 1 : place)),
			);
			if (found !== null) return found;
		}
		return null;
	};
	return search(
		before,
		actions.map(() => 0),
	);
}

/**
 * The model after the actions one after the other as they stand, whatever they answered; for the message when nothing
 * fits.
 */
export function inOrder(before: Model, actions: readonly Done[]): { model: Model; refused: string[] } {
	const model = structuredClone(before);
	const refused = actions.flatMap(({ steps, observed }, index) =>
		steps.every((step) => step(model, observed)) ? [] : [`${index}: ${observed}`],
	);
	return { model, refused };
}

export const same = (a: unknown, b: unknown): boolean => isDeepStrictEqual(a, b);
