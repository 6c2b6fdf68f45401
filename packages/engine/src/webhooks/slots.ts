import type { Stopwatch } from "../ports/index.ts";

/** Divides the attempts that one server runs at once among the domains. */
export type Slots = {
	/** Returns the free slots over all domains; 0 if they are too few to be worth a statement. */
	room(): number;
	/** Returns how many more attempts each domain may start that has attempts running, or was slow or quick recently. */
	left(): Readonly<Record<string, number>>;
	/** How many attempts any other domain may start. */
	readonly each: number;
	/** Notes that an attempt begins. The name of its endpoint isn't known yet. */
	start(domainId: string): void;
	/** Notes that the name was looked up, with or without success. From now on the attempt takes a slot. */
	named(): void;
	/**
	 * Notes that an attempt ended after `milliseconds`. Returns true if it is time to lease more: the domain has no
	 * attempts running or half of what it may, or there is just enough room for a statement.
	 */
	end(domainId: string, milliseconds: number): boolean;
};

const atOnce = 256;
/**
 * How many attempts may wait for the name of their endpoint. They hold no connection and therefore take no slot, so
 * that names without an answer don't delay other attempts.
 */
const unnamedAtOnce = 512;
/** A statement leases many deliveries at once. It waits until there is room for this many. */
const leastRoom = 64;
const perDomain = 32;
/**
 * How many attempts a domain may have whose endpoint hasn't answered recently. If many such endpoints hang at once,
 * they must not take all slots.
 */
const perUnknownDomain = 1;
/** How many quick domains are remembered. Those that were quick longest ago count as unknown again. */
const quickDomains = 256;
/** An endpoint that takes this long to answer or to fail counts as slow for the next minute. */
const slowMilliseconds = 2000;
const slowForMilliseconds = 60_000;
/** Dead endpoints, even many of them, must not take the slots of those that answer. */
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
				// The domain moves to the end of the map: domains that were served last come last.
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
