import type { Fault, FaultKind } from "./fault.ts";

/** What a request must match. Whatever is left out matches any request. */
export type RequestMatch = {
	readonly method?: string;
	/** Matched against the path without its query. */
	readonly path?: RegExp;
	/** Query parameters: with this value, present with any value (true), or absent (false). */
	readonly query?: Readonly<Record<string, string | boolean>>;
};

export type MatchedRequest = { readonly method: string; readonly path: string };

export type FaultRule = {
	readonly when?: RequestMatch;
	/** Strikes only the nth request that fits, counted from 1. */
	readonly nth?: number;
	/** Strikes only this many of the first requests that fit. */
	readonly times?: number;
	/**
	 * Strikes only this share of the requests that fit, from 0 to 1, as `random` decides. A seeded one makes a run that
	 * can be repeated.
	 */
	readonly chance?: { readonly share: number; readonly random: { fraction(): number } };
	/**
	 * The request waits for this at the proxy, before the fault begins and the server hears anything. Use it for a
	 * request that fails late, after others have passed.
	 */
	readonly until?: Promise<unknown>;
	readonly fault: Fault;
};

export type RuleHandle = {
	/** How many requests met the fault. */
	readonly hits: number;
	/**
	 * Resolves once `count` requests in all (default: 1) have met the fault. A request counts when the fault strikes it:
	 * a cut or a hold counts when its bytes have passed.
	 */
	hit(count?: number): Promise<void>;
	/** Releases what a `hold` holds, and holds nothing from then on. */
	release(): void;
	/** Stops the rule from striking further requests. What it holds, it goes on holding. */
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
 * Makes an ordered list of rules. The first rule that strikes a request decides. Each rule counts the requests that fit
 * it, except those that an earlier rule struck.
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
