export type RateLimitResult = { readonly allowed: true } | { readonly allowed: false; readonly retryAt: Date };

/** Counts how often something is done, over all processes of an installation. */
export interface RateLimiter {
	/**
	 * Takes one token of `key`, if one is left. A refused take costs nothing.
	 *
	 * Never more than `limit` takes of a key are allowed in one window, whatever number of processes take at once (their
	 * clocks agreeing). A key's window begins with the first take after the one before it ended, and lasts
	 * `windowSeconds`. A `limit` below 200 holds even in any stretch of `windowSeconds`. One process alone gets all of
	 * `limit`; where several take, what one holds in stock may be refused by another, which still MUST leave two thirds
	 * of `limit` to two processes that take in turns.
	 *
	 * `retryAt` is later than now, at most `windowSeconds` away, and the first moment at which a take can succeed; it
	 * does when nobody took meanwhile. Keys are independent, and always taken with the same `limit` and `windowSeconds`.
	 * An adapter MUST bound what it keeps of them in memory.
	 *
	 * When the store that processes share is lost, it rejects: within 5 s, and at once while it is known to be lost; it
	 * is asked again within 5 s. It never allows a take that it couldn't count. A store that comes back empty begins to
	 * count anew.
	 */
	take(key: string, limit: number, windowSeconds: number): Promise<RateLimitResult>;
}
