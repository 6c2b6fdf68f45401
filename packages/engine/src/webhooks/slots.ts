import type { Stopwatch } from "../ports/index.ts";

/** What a domain's endpoints may hold of the attempts that one server runs at once. */
export type Slots = {
	/** Free slots over all domains; 0 while they are too few to ask for. */
	room(): number;
	/** How many more attempts each domain that has some running, or was slow or quick of late, may start. */
	left(): Readonly<Record<string, number>>;
	/** How many more attempts any other domain may start. */
	readonly each: number;
	/** An attempt begins, whose endpoint's name isn't known yet. */
	start(domainId: string): void;
	/** The name is known, or can't be known: from now on the attempt takes a slot. */
	named(): void;
	/**
	 * `milliseconds` is how long the attempt took. True where it is worth to look what else is due: the domain has none
	 * running or half of what it may, or room for many came.
	 */
	end(domainId: string, milliseconds: number): boolean;
};

const atOnce = 256;
/**
 * Attempts that wait for the name of their endpoint hold no connection, so they take no slot: names that hang keep no
 * others waiting. They are bounded, too.
 */
const unnamedAtOnce = 512;
/** One statement leases for many attempts: it waits until there is room for so many. */
const leastRoom = 64;
const perDomain = 32;
/**
 * A domain whose endpoint hasn't answered of late is tried with this many: were it to hang, a burst for many such must
 * not take all there is.
 */
const perUnknownDomain = 1;
/** Domains with a burst of attempts are told apart; those that were quick longest ago are unknown again. */
const quickDomains = 256;
/** An endpoint that takes this long to answer, or to fail, is slow for the minute after. */
const slowMilliseconds = 2000;
const slowForMilliseconds = 60_000;
/** A dead endpoint must not take the slots of those that answer, nor may many dead ones together. */
const perSlowDomain = 4;
const ofSlowDomains = 128;

export function createSlots({ clock }: { clock: Stopwatch }): Slots {
	const running = new Map<string, number>();
	const slowUntil = new Map<string, number>();
	const quick = new Set<string>();
	let total = 0;
	let unnamed = 0;

	const isSlow = (domainId: string): boolean => {
		const until = slowUntil.get(domainId);
		if (until === undefined || until > clock.elapsed()) return until !== undefined;
		slowUntil.delete(domainId);
		return false;
	};

	return {
		each: perUnknownDomain,
		room() {
			const room = Math.min(atOnce - total, unnamedAtOnce - unnamed);
			return room < leastRoom ? 0 : room;
		},
		left() {
			const slow = [...slowUntil.keys()].filter(isSlow);
			let spare = ofSlowDomains - slow.reduce((sum, id) => sum + (running.get(id) ?? 0), 0);
			const left: Record<string, number> = {};
			for (const id of quick) left[id] = perDomain;
			for (const [id, count] of running) left[id] = Math.max(0, (left[id] ?? perUnknownDomain) - count);
			for (const id of slow) {
				const share = Math.max(0, Math.min(spare, perSlowDomain - (running.get(id) ?? 0)));
				left[id] = share;
				spare -= share;
			}
			return left;
		},
		named() {
			unnamed--;
			total++;
		},
		start(domainId) {
			unnamed++;
			running.set(domainId, (running.get(domainId) ?? 0) + 1);
		},
		end(domainId, milliseconds) {
			total--;
			const rest = (running.get(domainId) ?? 1) - 1;
			if (rest > 0) running.set(domainId, rest);
			else running.delete(domainId);
			quick.delete(domainId);
			if (milliseconds >= slowMilliseconds) {
				// Anew, at the end: those whose turn was last come last.
				slowUntil.delete(domainId);
				slowUntil.set(domainId, clock.elapsed() + slowForMilliseconds);
			} else {
				quick.add(domainId);
				for (const oldest of quick) if (quick.size > quickDomains) quick.delete(oldest);
			}
			return rest === 0 || rest === perDomain / 2 || atOnce - total === leastRoom;
		},
	};
}
