import type { Disturbance } from "../history/entries.ts";
import { entriesOf } from "../history/history.ts";
import { disturbed, overlaps } from "../history/intervals.ts";
import type { FaultKind } from "../plan/catalogue.ts";
import { type Breach, by, type Invariant, type Run } from "./invariant.ts";

const medianMilliseconds = 1000;
const worstMilliseconds = 5000;
/** The median of fewer cases says nothing about half of the cases. */
const leastForMedian = 3;
/** Two servers with ten connections each, and as many again while old ones are given up but not ended. */
const mostSessions = 45;

export type Recovery = {
	readonly kind: FaultKind;
	readonly milliseconds: readonly number[];
	readonly disturbed: number;
};

/**
 * Returns how long it took after each fault, by kind, until the service worked again. Cases that overlap another
 * disturbance are counted apart.
 */
export function recoveries({ history }: Pick<Run, "history">): Recovery[] {
	const all = by(entriesOf(history, "recovered"), ({ fault }) => fault);
	return [...all].map(([kind, entries]) => {
		const undisturbed = entries.filter((entry) => {
			const touches = ({ what, server }: Disturbance): boolean => {
				if (server !== undefined) return server === entry.server && what !== "clock";
				if (what === "storage") return entry.inBucket;
				return (what !== "names" && what !== "receivers") || entry.withWebhook;
			};
			// A disturbance that ended together with this fault is most likely the fault's own.
			const others = disturbed(history, touches).filter(({ to }) => to > entry.since + 5);
			return !overlaps(others, { from: entry.since, to: entry.since + entry.milliseconds });
		});
		return {
			kind: kind as FaultKind,
			milliseconds: undisturbed.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b),
			disturbed: entries.length - undisturbed.length,
		};
	});
}

export const medianOf = (sorted: readonly number[]): number => sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;

export const recoversSoon: Invariant = {
	name: "recovers soon",
	promise:
		"After a fault the whole service works again within 5 s. For each kind that was measured at least three times, the median is at most 1 s.",
	check(run) {
		return recoveries(run).flatMap(({ kind, milliseconds }): Breach[] => {
			const [median, worst] = [medianOf(milliseconds), milliseconds.at(-1) ?? 0];
			const half = milliseconds.length >= leastForMedian ? median : 0;
			if (half <= medianMilliseconds * run.patience && worst <= worstMilliseconds * run.patience) return [];
			const shownBy = entriesOf(run.history, "recovered").filter(
				(entry) => entry.fault === kind && entry.milliseconds >= worst,
			);
			return [
				{
					message: `after ${kind} it took ${Math.round(median)} ms in the median and ${Math.round(worst)} ms at worst`,
					shownBy,
				},
			];
		});
	},
};

export const sessionsAreBounded: Invariant = {
	name: "sessions are bounded",
	promise:
		"The servers together never have more than twice as many connections to the database as their pools hold, however connections are lost.",
	check({ history }) {
		const most = entriesOf(history, "sessions").reduce((found, { count }) => Math.max(found, count), 0);
		return most <= mostSessions ? [] : [{ message: `there were ${most} connections to the database`, shownBy: [] }];
	},
};
