import type { Clock, Database, RateLimiter, RateLimitResult } from "@reelmill/engine/ports";
import { LRUCache } from "lru-cache";
import { type Lease, leaseOfWindow, takeOfStretch } from "./rate-limit-statements.ts";

export type PostgresRateLimiterOptions = {
	/** The database that all processes share, with the engine's migrations applied. */
	readonly database: Database;
	/** (default: the database's, and this process's own for how long it keeps what it was told) */
	readonly clock?: Pick<Clock, "now" | "elapsed">;
	/**
	 * Keys whose stock or refusal is kept in this process (default 20 000). A key beyond that costs more statements and
	 * may lose its stock, never its limit.
	 */
	readonly maxKeys?: number;
	/** How long a take waits for the database before it rejects (default 3000). */
	readonly timeoutMilliseconds?: number;
};

/**
 * Tokens that this process has in stock, or the word that there are none before `retryAt`. Good for as long as
 * `elapsed` is below `until`.
 */
type Stock = { tokens: number; readonly retryAt: Date | null; readonly until: number };

/** From this limit on tokens are leased, a tenth of the limit at a time; below, each take is a statement. */
const leasedFrom = 200;
const askAgainMilliseconds = 1000;

/**
 * The engine's RateLimiter port over PostgreSQL. Limits from 200 on cost at most one statement in ten takes once a
 * key's first lease is used up, and a refusal is kept until the window ends. Smaller limits cost a statement a take,
 * and are exact.
 *
 * A database that doesn't answer makes a take reject after `timeoutMilliseconds`. Then takes that need it reject at
 * once, but for one a second that asks again; what is in stock is still given out. An answer that comes late isn't
 * lost.
 */
export function createPostgresRateLimiter({
	database,
	clock,
	maxKeys = 20_000,
	timeoutMilliseconds = 3000,
}: PostgresRateLimiterOptions): RateLimiter {
	const elapsed = clock?.elapsed ?? (() => performance.now());
	const stocks = new LRUCache<string, Stock>({ max: maxKeys });
	const leasing = new Map<string, Promise<void>>();
	let lost: { readonly cause: unknown; askAgainAt: number } | undefined;

	const spend = (key: string): RateLimitResult | null => {
		const stock = stocks.get(key);
		if (stock === undefined || stock.until <= elapsed()) return null;
		if (stock.retryAt !== null) return { allowed: false, retryAt: stock.retryAt };
		if (stock.tokens === 0) return null;
		stock.tokens--;
		return { allowed: true };
	};

	const lease = async (key: string, limit: number, windowSeconds: number): Promise<void> => {
		const asked = elapsed();
		const now = clock === undefined ? null : new Date(clock.now());
		const statement =
			limit < leasedFrom
				? takeOfStretch(key, now, windowSeconds, limit)
				: leaseOfWindow(key, now, windowSeconds, Math.floor(limit / 10), limit);
		const [got] = await database.query<Lease>(statement);
		if (got === undefined) throw new Error("the lease answered no row");
		// Counted from the question: nothing is given out after its window, and what is refused a moment too early asks the
		// database once more.
		const until = asked + got.until.getTime() - got.at.getTime();
		stocks.set(key, { tokens: got.granted, retryAt: got.granted === 0 ? got.until : null, until });
		lost = undefined;
	};

	/** One lease of a key at a time; whoever comes meanwhile waits for it. */
	const restock = (key: string, limit: number, windowSeconds: number): Promise<void> => {
		let running = leasing.get(key);
		if (running === undefined) {
			running = lease(key, limit, windowSeconds).finally(() => leasing.delete(key));
			leasing.set(key, running);
		}
		return withTimeout(running, timeoutMilliseconds);
	};

	return {
		async take(key, limit, windowSeconds) {
			while (true) {
				const result = spend(key);
				if (result !== null) return result;
				if (lost !== undefined) {
					if (elapsed() < lost.askAgainAt) throw new Error("the rate limits' store is lost", { cause: lost.cause });
					lost.askAgainAt = elapsed() + askAgainMilliseconds;
				}
				try {
					await restock(key, limit, windowSeconds);
				} catch (error) {
					lost = { cause: error, askAgainAt: elapsed() + askAgainMilliseconds };
					throw error;
				}
			}
		},
	};
}

async function withTimeout(promise: Promise<void>, milliseconds: number): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() => reject(new Error(`the rate limits' store didn't answer within ${milliseconds} ms`)),
			milliseconds,
		);
	});
	try {
		await Promise.race([promise, late]);
	} finally {
		clearTimeout(timer);
	}
}
