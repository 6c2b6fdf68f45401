import { useSyncExternalStore } from "react";

/** Whether the server answers. It is lost with a call that gets no answer, and found with the next one that does. */
export type Connection = "found" | "lost";

let connection: Connection = "found";
const listeners = new Set<() => void>();

export function setConnection(next: Connection): void {
	if (next === connection) return;
	connection = next;
	for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
	listeners.add(listener);
	return () => listeners.delete(listener);
};

export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => connection);
