import type { Fault, FaultKind } from "./fault.ts";

/** What of a request must fit; what is left out fits any. */
export type RequestMatch = {
	readonly method?: string;
	/** Against the path without its query. */
	readonly path?: RegExp;
	/** Query parameters: of this value, or (true) there with any value, or (false) not there. */
	readonly query?: Readonly<Record<string, string | boolean>>;
};

export type MatchedRequest = { readonly method: string; readonly path: string };

export type FaultRule = {
	readonly when?: RequestMatch;
	/** Only the so manieth request that fits, counted from 1. */
	readonly nth?: number;
	/** Only the first so many requests that fit. */
	readonly times?: number;
	/**
	 * Only this share of the requests that fit, from 0 to 1, as `random` says: a seeded one makes a run that can be
	 * repeated.
	 */
	readonly chance?: { readonly share: number; readonly random: { fraction(): number } };
	/**
	 * The request waits for this at the proxy, before the fault begins and the server hears anything: for one that fails
	 * late, after others have gone through.
	 */
	readonly until?: Promise<unknown>;
	readonly fault: Fault;
};

export type RuleHandle = {
	/** How many requests met the fault. */
	readonly hits: number;
	/**
	 * Resolves once `count` (1) requests in all have met the fault, each counted at the moment it strikes: a cut or a
	 * hold when its bytes have passed.
	 */
	hit(count?: number): Promise<void>;
	/** Lets go what a `hold` holds, and holds nothing from then on. */
	release(): void;
	/** The rule strikes no more requests. What it holds it goes on holding. */
	remove(): void;
};

/** A rule as it strikes one request. */
export type Strike = {
	readonly kind: FaultKind;
	readonly fault: Fault;
	readonly until: Promise<unknown> | undefined;
	readonly released: Promise<void>;
	struck(): void;
};

const fits = (match: RequestMatch, request: MatchedRequest): boolean => {
	const url = new URL(request.path, "http://proxy");
	if (match.method !== undefined && match.method !== request.method) return false;
	if (match.path !== undefined && !match.path.test(url.pathname)) return false;
	return Object.entries(match.query ?? {}).every(([name, wanted]) => {
		const value = url.searchParams.get(name);
		return typeof wanted === "boolean" ? (value !== null) === wanted : value === wanted;
	});
};

/**
 * Rules in the order in which they came: the first that strikes a request decides. Each counts the requests that fit
 * it, those that an earlier rule struck left out.
 */
export function createRules() {
	const rules = new Set<{ strikes(request: MatchedRequest): Strike | null }>();
	return {
		strike(request: MatchedRequest): Strike | null {
			for (const rule of rules) {
				const strike = rule.strikes(request);
				if (strike) return strike;
			}
			return null;
		},
		clear: () => rules.clear(),
		add({ when = {}, nth, times = Number.POSITIVE_INFINITY, chance, until, fault }: FaultRule): RuleHandle {
			let [seen, hits] = [0, 0];
			const waiting = new Set<{ count: number; resolve(): void }>();
			const { promise: released, resolve: release } = Promise.withResolvers<void>();
			const struck = () => {
				hits += 1;
				for (const each of waiting) if (each.count <= hits) each.resolve();
			};
			const rule = {
				strikes(request: MatchedRequest): Strike | null {
					if (!fits(when, request)) return null;
					seen += 1;
					if (seen > times || (nth !== undefined && nth !== seen)) return null;
					if (chance && chance.random.fraction() >= chance.share) return null;
					return { kind: fault.kind, fault, until, released, struck };
				},
			};
			rules.add(rule);
			return {
				get hits() {
					return hits;
				},
				hit: (count = 1) => new Promise((resolve) => (hits >= count ? resolve() : waiting.add({ count, resolve }))),
				release,
				remove: () => void rules.delete(rule),
			};
		},
	};
}
