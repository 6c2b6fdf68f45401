import type { Store } from "@reelmill/browser/upload";

/** Creates a store as those of `@reelmill/browser`, and the function that replaces its state. */
export function createState<T>(initial: T): { store: Store<T>; set(state: T): void } {
	let state = initial;
	const listeners = new Set<{ tell: (state: T) => void }>();
	return {
		store: {
			get: () => state,
			subscribe(tell) {
				const entry = { tell };
				listeners.add(entry);
				return () => void listeners.delete(entry);
			},
		},
		set(changed) {
			state = changed;
			for (const { tell } of [...listeners]) tell(changed);
		},
	};
}
