/** Whether a request may pass, and otherwise when the next one may. */
export type RateLimitResult = { readonly allowed: true } | { readonly allowed: false; readonly retryAt: Date };

/** Counts how often something is done, over all processes of an installation. */
export interface RateLimiter {
	/**
	 * Takes one token of `key` if one is left. A refused take costs nothing.
	 *
	 * Of one key never more than `limit` takes are allowed in one window, whatever number of processes take at once, as
	 * long as their clocks agree. A key's window begins with the first take after the previous window ended, and lasts
	 * `windowSeconds`. A `limit` below 200 also holds in any stretch of `windowSeconds`. A single process gets all of
	 * `limit`. If several take, one may refuse what another holds in stock; two processes that take in turns MUST still
	 * get two thirds of `limit`.
	 *
	 * `retryAt` is later than now and at most `windowSeconds` away. It is the first moment when a take can succeed; a
	 * take does succeed then if nobody took meanwhile. Keys are independent, and are always taken with the same `limit`
	 * and `windowSeconds`. An adapter MUST bound what it keeps of them in memory.
	 *
	 * It MAY return a result that it knows at once, without a promise: most requests wait for nothing then.
	 *
	 * If the store that processes share is lost, it rejects: within 5 s, and at once while the store is known to be lost.
	 * It asks the store again within 5 s. It never allows a take that it couldn't count. A store that comes back empty
	 * begins to count anew.
	 */
	take(key: string, limit: number, windowSeconds: number): RateLimitResult | Promise<RateLimitResult>;
}
