/** A value that changes, in the form that React's `useSyncExternalStore` and others take. */
export type Store<T> = {
	/** The state now; a new object after each change, the same one in between. */
	get(): T;
	/** Calls the listener after each change, not at once. Gives a function that ends it; ending it twice does nothing. */
	subscribe(listener: (state: T) => void): () => void;
};

/**
 * A store and the way to change it. A change to what is already so tells nobody; a listener that throws stops neither
 * the others nor the change.
 */
export function createStore<T extends object>(initial: T): { store: Store<T>; set(change: Partial<T>): void } {
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
		set(change) {
			const changed = (Object.keys(change) as (keyof T)[]).some((key) => !Object.is(state[key], change[key]));
			if (!changed) return;
			state = { ...state, ...change };
			for (const { tell } of [...listeners]) {
				try {
					tell(state);
				} catch (error) {
					queueMicrotask(() => {
						throw error;
					});
				}
			}
		},
	};
}
