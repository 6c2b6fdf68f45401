import type { Clock, Database, RateLimiter, RateLimitResult } from "@reelmill/engine/ports";
import { LRUCache } from "lru-cache";
import { withTimeLimit } from "../connections/time-limit.ts";
import { type Lease, leaseOfWindow, takeOfStretch } from "./statements.ts";

/** The database that counts, and how it is spared. */
export type PostgresRateLimiterOptions = {
	/** The database that all processes share, with the engine's migrations applied. */
	readonly database: Database;
	/**
	 * The time that limits are counted by (default: the database's time, and this process's for how long it keeps an
	 * answer).
	 */
	readonly clock?: Pick<Clock, "now" | "elapsed">;
	/**
	 * How many keys' permits and refusals this process keeps (default: 20,000). A further key costs more statements and
	 * may lose its permits, but never its limit.
	 */
	readonly maxKeys?: number;
	/** How long a take waits for the database before it rejects, in milliseconds (default: 3000). */
	readonly timeoutMilliseconds?: number;
};

/**
 * The permits that this process holds, or the word that there are none before `retryAt`. It is valid while `elapsed` is
 * below `until`.
 */
type Stock = { permits: number; readonly retryAt: Date | null; readonly until: number };

/** From this limit on, permits are leased, a tenth of the limit at a time. Below it, each take is a statement. */
const leasedFrom = 200;
const askAgainMilliseconds = 1000;

/**
 * Makes the engine's RateLimiter port over PostgreSQL. Once a key's first lease is used up, a limit of 200 or more
 * costs at most one statement in ten takes, and a refusal is kept until the window ends. A smaller limit costs a
 * statement per take, and is exact.
 *
 * A statement that fails is repeated once; if it had taken effect, what it took counts as well. If the database doesn't
 * answer, a take rejects after `timeoutMilliseconds`. After that, takes that need the database reject at once, except
 * for one a second that asks again. Tokens that this process holds are still given out. An answer that comes late isn't
 * lost.
 *
 * @example
 * ```ts
 * import { readMigrations } from "@reelmill/engine";
 * import { createPostgresRateLimiter } from "@reelmill/postgres";
 * import { openTestDatabase } from "@reelmill/postgres/testing";
 *
 * const { database, close } = await openTestDatabase();
 * await database.migrate(await readMigrations());
 * const limiter = createPostgresRateLimiter({ database });
 * const first = await limiter.take("203.0.113.7", 1, 60);
 * const second = await limiter.take("203.0.113.7", 1, 60);
 * await close();
 * console.log(first.allowed, second.allowed); // => true false
 * ```
 */
export function createPostgresRateLimiter({
	database,
	clock,
	maxKeys = 20_000,
	timeoutMilliseconds = 3000,
}: PostgresRateLimiterOptions): RateLimiter {
	const elapsed = clock?.elapsed ?? (() => performance.now());
	// With the option `max` the library would make room for all keys at once.
	const stocks = new LRUCache<string, Stock>({ maxSize: maxKeys, sizeCalculation: () => 1 });
	const leasing = new Map<string, Promise<void>>();
	let lost: { readonly cause: unknown; askAgainAt: number } | undefined;

	const spend = (key: string): RateLimitResult | null => {
		const stock = stocks.get(key);
		if (stock === undefined || stock.until <= elapsed()) return null;
		if (stock.retryAt !== null) return { allowed: false, retryAt: stock.retryAt };
		if (stock.permits === 0) return null;
		stock.permits--;
		return allowed;
	};

	const lease = async (key: string, limit: number, windowSeconds: number): Promise<void> => {
		const asked = elapsed();
		const now = clock === undefined ? null : new Date(clock.now());
		const statement =
			limit < leasedFrom
				? takeOfStretch(key, now, windowSeconds, limit)
				: leaseOfWindow(key, now, windowSeconds, Math.floor(limit / 10), limit);
		const [got] = await database.query<Lease>(statement).catch((error: unknown) => {
			// One statement may fail by itself: the store isn't lost for all other keys then.
			if (lost !== undefined || elapsed() - asked >= timeoutMilliseconds) throw error;
			return database.query<Lease>(statement);
		});
		if (got === undefined) throw new Error("the lease answered no row");
		// Counted from the question. Nothing is given out after its window, and a take that is refused a moment too early
		// asks the database again.
		const until = asked + got.until.getTime() - got.at.getTime();
		stocks.set(key, { permits: got.granted, retryAt: got.granted === 0 ? got.until : null, until });
		lost = undefined;
	};

	/** Leases permits for a key, once at a time; later callers wait for the running lease. */
	const restock = (key: string, limit: number, windowSeconds: number): Promise<void> => {
		let running = leasing.get(key);
		if (running === undefined) {
			running = lease(key, limit, windowSeconds).finally(() => leasing.delete(key));
			leasing.set(key, running);
		}
		return withTimeLimit(timeoutMilliseconds, running, "ETIMEDOUT");
	};

	const takeFresh = async (key: string, limit: number, windowSeconds: number): Promise<RateLimitResult> => {
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
	};

	return {
		// Most takes need no statement, and no wait either.
		take(key, limit, windowSeconds) {
			return spend(key) ?? takeFresh(key, limit, windowSeconds);
		},
	};
}

const allowed: RateLimitResult = { allowed: true };
