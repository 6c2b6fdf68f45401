import { useState } from "react";

type Row = { readonly id: string; readonly created_at: string };

/**
 * Keeps a list steady while it is read again: rows that were shown change in place, and rows that arrived since are
 * held back until the person asks for them. Older rows, of a further page, are shown at once.
 */
export function useSteadyRows<R extends Row>(
	rows: readonly R[],
): {
	readonly shown: readonly R[];
	/** How many have arrived and are held back. */
	readonly arrived: number;
	showAll(): void;
} {
	const [newest, setNewest] = useState<string | null>(null);
	const [first] = rows;
	const edge = newest ?? first?.created_at ?? null;
	if (newest === null && edge !== null) setNewest(edge);
	const shown = edge === null ? rows : rows.filter(({ created_at }) => created_at <= edge);
	return {
		shown,
		arrived: rows.length - shown.length,
		showAll: () => setNewest(first?.created_at ?? null),
	};
}
