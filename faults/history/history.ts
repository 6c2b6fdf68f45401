import { appendFileSync } from "node:fs";
import type { Entry, Told } from "./entries.ts";

export type History = {
	readonly entries: readonly Entry[];
	add(told: Told): void;
	/** Tells each entry as it comes. */
	onEntry(listener: (entry: Entry) => void): void;
};

/** A record that only grows; kept in `file` too, a line of JSON an entry, so that a run that broke off can be read. */
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

/** The entries of one kind. */
export function entriesOf<K extends Told["kind"]>(
	entries: readonly Entry[],
	kind: K,
): Extract<Entry, { readonly kind: K }>[] {
	return entries.filter((entry): entry is Extract<Entry, { readonly kind: K }> => entry.kind === kind);
}
