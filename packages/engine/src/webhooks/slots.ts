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
/** A dead endpoint must not take the slots of those that answer. */
const perSlowDomain = 4;

export function createSlots({ clock }: { clock: Clock }): Slots {
	const running = new Map<string, number>();
	const slowUntil = new Map<string, number>();
	let total = 0;

	const capOf = (domainId: string): number => {
		const until = slowUntil.get(domainId);
		if (until === undefined) return perDomain;
		if (until > clock.now()) return perSlowDomain;
		slowUntil.delete(domainId);
		return perDomain;
	};

	return {
		each: perDomain,
		room: () => (atOnce - total < leastRoom ? 0 : atOnce - total),
		left() {
			const domains = new Set([...running.keys(), ...slowUntil.keys()]);
			return Object.fromEntries([...domains].map((id) => [id, Math.max(0, capOf(id) - (running.get(id) ?? 0))]));
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
			if (milliseconds >= slowMilliseconds) slowUntil.set(domainId, clock.now() + slowForMilliseconds);
			return rest === 0 || rest === perDomain / 2 || atOnce - total === leastRoom;
		},
	};
}
