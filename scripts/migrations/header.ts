/** What a migration does to what is there: it adds to it, or takes away what no server uses any more. */
export type Kind = "Expand" | "Contract";

/**
 * Returns the beginnings of statements that a person has looked at, by the lines "-- Checked by hand: <beginning>:
 * <why>". They are not held to the rules: a table may have few rows.
 */
export const checkedByHand = (text: string): readonly string[] =>
	text.split("\n").flatMap((line) => /^-- Checked by hand: ([^:]+): \S/.exec(line)?.[1] ?? []);

/**
 * Returns the kind that the migration's first line names, and what is wrong with its header. `released` is the number
 * of the newest migration that the release before has; null if that is unknown.
 */
export function readHeader(
	name: string,
	text: string,
	released: string | null,
): { readonly kind: Kind; readonly faults: readonly string[] } {
	const [, kind = "Expand"] = /^-- (Expand|Contract): \S/.exec(text) ?? [];
	const faults: string[] = [];
	if (!/^-- (?:Expand|Contract): \S/.test(text))
		faults.push('its first line must be "-- Expand: <what it adds>" or "-- Contract: <what nobody uses any more>"');
	const [, since] = /^-- Compatible from (\d{4}): \S/m.exec(text) ?? [];
	if (since === undefined)
		faults.push('it needs "-- Compatible from <number>: <why>", or the release before can\'t run beside the new one');
	else if (since >= name.slice(0, 4)) faults.push(`it is compatible from ${since}, which isn't an older migration`);
	else if (released !== null && released < since && released < name.slice(0, 4))
		faults.push(`it is compatible from ${since}, but the release before has ${released} at most`);
	return { kind: kind as Kind, faults };
}
