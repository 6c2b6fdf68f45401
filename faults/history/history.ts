import { appendFileSync } from "node:fs";
import type { Entry, Told } from "./entries.ts";

export type History = {
	readonly entries: readonly Entry[];
	add(told: Told): void;
	/** Calls the listener with each new entry. */
	onEntry(listener: (entry: Entry) => void): void;
};

/**
 * Creates a record that only grows. It is also written to `file`, one line of JSON for each entry, so that a run that
 * breaks off can be read.
 */
export function createHistory(file: string): History {
	const entries: Entry[] = [];
	const listeners: ((entry: Entry) => void)[] = [];
	return {
		entries,
		add(told) {
			const entry: Entry = { at: Date.now(), ...told };
			entries.push(entry);
			appendFileSync(file, `${JSON.stringify(entry)}\n`);
			for (const listener of listeners) listener(entry);
		},
		onEntry: (listener) => void listeners.push(listener),
	};
}

/** Returns the entries of one kind. */
export function entriesOf<K extends Told["kind"]>(
	entries: readonly Entry[],
	kind: K,
): Extract<Entry, { readonly kind: K }>[] {
	return entries.filter((entry): entry is Extract<Entry, { readonly kind: K }> => entry.kind === kind);
}
