import type { Clock } from "../ports/index.ts";

/** What a domain's endpoints may hold of the attempts that one server runs at once. */
export type Slots = {
	/** Free slots over all domains; 0 while they are too few to ask for. */
	room(): number;
	/** How many more attempts each domain that has some running, or was slow of late, may start. */
	left(): Readonly<Record<string, number>>;
	/** How many more attempts a domain with none running may start. */
	readonly each: number;
	start(domainId: string): void;
	/** `milliseconds` is how long the attempt took. True where it is worth to look what else is due: the domain has none running or half of what it may, or room for many came. */
	end(domainId: string, milliseconds: number): boolean;
};

const atOnce = 256;
/** One statement leases for many attempts: it waits until there is room for so many. */
const leastRoom = 64;
const perDomain = 32;
/** An endpoint that takes this long to answer, or to fail, is slow for the minute after. */
const slowMilliseconds = 2000;
const slowForMilliseconds = 60_000;
/** A dead endpoint must not take the slots of those that answer, nor may many dead ones together. */
const perSlowDomain = 4;
const ofSlowDomains = 128;

export function createSlots({ clock }: { clock: Clock }): Slots {
	const running = new Map<string, number>();
	const slowUntil = new Map<string, number>();
	let total = 0;

	const isSlow = (domainId: string): boolean => {
		const until = slowUntil.get(domainId);
		if (until === undefined || until > clock.now()) return until !== undefined;
		slowUntil.delete(domainId);
		return false;
	};

	return {
		each: perDomain,
		room: () => (atOnce - total < leastRoom ? 0 : atOnce - total),
		left() {
			const slow = [...slowUntil.keys()].filter(isSlow);
			let spare = ofSlowDomains - slow.reduce((sum, id) => sum + (running.get(id) ?? 0), 0);
			const left: Record<string, number> = {};
			for (const [id, count] of running) left[id] = Math.max(0, perDomain - count);
			for (const id of slow) {
				const share = Math.max(0, Math.min(spare, perSlowDomain - (running.get(id) ?? 0)));
				left[id] = share;
				spare -= share;
			}
			return left;
		},
		start(domainId) {
			total++;
			running.set(domainId, (running.get(domainId) ?? 0) + 1);
		},
		end(domainId, milliseconds) {
			total--;
			const rest = (running.get(domainId) ?? 1) - 1;
			if (rest > 0) running.set(domainId, rest);
			else running.delete(domainId);
			if (milliseconds >= slowMilliseconds) {
				// Anew, at the end: those whose turn was last come last.
				slowUntil.delete(domainId);
				slowUntil.set(domainId, clock.now() + slowForMilliseconds);
			}
			return rest === 0 || rest === perDomain / 2 || atOnce - total === leastRoom;
		},
	};
}
