import { ReelmillError, rateLimits as table } from "@reelmill/contracts";
import type { RateLimiter, RateLimitResult } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";

/**
 * Rows of the specification's table that are counted here; the hourly limit of an uploader belongs to the statement
 * that initiates.
 */
export type RateLimitName = Exclude<keyof typeof table, "initiate">;

export type RateLimits = {
	/**
	 * Counts one request of `subject` (a key's id, a video's id, a client's address) towards the limit `name`. Throws
	 * `rate_limited`, with the first moment at which a retry can succeed, when the limit is reached. When the limiter's
	 * store is lost, `whenLost` decides: `allow` lets the request pass uncounted, `refuse` throws `rate_limited` too. It
	 * defaults to `refuse` for minting sandbox sessions and to `allow` elsewhere. The log says once that the store was
	 * lost, and once that it is back.
	 */
	take(name: RateLimitName, subject: string, options?: { readonly whenLost?: "allow" | "refuse" }): Promise<void>;
};

/**
 * When a request that was refused for want of a store may come again; a limiter asks for a lost store at least this
 * often.
 */
const retryMilliseconds = 5000;
/**
 * Stocks that a limiter still has make single takes succeed while its store is lost: it is back when none failed for
 * this long.
 */
const calmMilliseconds = 10_000;

export function createRateLimits({ clock, logger }: Parts, { limiter }: { limiter: RateLimiter }): RateLimits {
	let lastFailure: number | undefined;

	const worked = (): void => {
		if (lastFailure === undefined || clock.elapsed() - lastFailure < calmMilliseconds) return;
		lastFailure = undefined;
		logger.info({}, "the rate limits' store is back: requests are counted again");
	};
	const failed = (error: unknown): void => {
		if (lastFailure === undefined)
			logger.error(
				{ error },
				"the rate limits' store is lost: sandbox sessions are refused, other requests pass uncounted",
			);
		lastFailure = clock.elapsed();
	};

	return {
		async take(name, subject, { whenLost = name === "sandboxSession" ? "refuse" : "allow" } = {}) {
			const { limit, windowSeconds } = table[name];
			let result: RateLimitResult | null = null;
			try {
				result = await limiter.take(`${name}:${subject}`, limit, windowSeconds);
				worked();
			} catch (error) {
				failed(error);
			}
			if (result?.allowed || (result === null && whenLost === "allow")) return;
			const retryAt = result?.retryAt ?? new Date(clock.now() + retryMilliseconds);
			throw new ReelmillError("rate_limited", { extras: { retryAfter: retryAt.toISOString() } });
		},
	};
}
