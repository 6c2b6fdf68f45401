import { useSyncExternalStore } from "react";

/** A value of the whole page, beside the components: they follow it by `use`. */
export function createStore<T>(first: T) {
	let value = first;
	const listeners = new Set<() => void>();
	const get = () => value;
	const subscribe = (listener: () => void) => {
		listeners.add(listener);
		return () => listeners.delete(listener);
	};
	return {
		get,
		/** Takes the next value, and tells all who follow it. The same value changes nothing. */
		set(next: T): void {
			if (Object.is(next, value)) return;
			value = next;
			for (const listener of listeners) listener();
		},
		use: (): T => useSyncExternalStore(subscribe, get),
	};
}
