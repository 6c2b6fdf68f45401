/** A value that changes, in the form that React's `useSyncExternalStore` takes. */
export type Store<T> = {
	/** Returns the current state. It is a new object after each change, and the same object until then. */
	get(): T;
	/**
	 * Calls the listener after each change. Returns a function that removes the listener; that function is idempotent.
	 */
	subscribe(listener: (state: T) => void): () => void;
};

/**
 * Creates a store and the function that changes it. A change to the same values calls no listener. If a listener
 * throws, the others are called all the same.
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
