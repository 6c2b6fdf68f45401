import type { Disturbance, Entry } from "./entries.ts";

/** A period, in milliseconds since 1970; `to` is infinite while it lasts. */
export type Interval = { readonly from: number; readonly to: number };

/** Returns the periods of all disturbances that fit. */
export function disturbed(entries: readonly Entry[], fits: (disturbance: Disturbance) => boolean): Interval[] {
	const open = new Map<number, number>();
	const found: Interval[] = [];
	for (const entry of entries) {
		if (entry.kind === "begins" && fits(entry.disturbance)) open.set(entry.id, entry.at);
		const from = entry.kind === "ends" ? open.get(entry.id) : undefined;
		if (entry.kind !== "ends" || from === undefined) continue;
		open.delete(entry.id);
		found.push({ from, to: entry.at });
	}
	return [...found, ...[...open.values()].map((from) => ({ from, to: Number.POSITIVE_INFINITY }))];
}

/** Returns the periods in order, with overlapping ones joined. */
export function joined(intervals: readonly Interval[]): Interval[] {
	const all: Interval[] = [];
	for (const next of [...intervals].sort((a, b) => a.from - b.from)) {
		const last = all.at(-1);
		if (last && next.from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, next.to) };
		else all.push(next);
	}
	return all;
}

/** Returns the periods that lie in both lists. Each list must be joined. */
export function intersection(one: readonly Interval[], other: readonly Interval[]): Interval[] {
	return one
		.flatMap((a) => other.map((b) => ({ from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) })))
		.filter(({ from, to }) => from < to);
}

export const overlaps = (intervals: readonly Interval[], { from, to }: Interval): boolean =>
	intervals.some((each) => each.from <= to && each.to >= from);

/** Returns how many milliseconds of `within` the intervals cover. They must be joined. */
export const lengthWithin = (intervals: readonly Interval[], { from, to }: Interval): number =>
	intervals.reduce((sum, each) => sum + Math.max(0, Math.min(each.to, to) - Math.max(each.from, from)), 0);
