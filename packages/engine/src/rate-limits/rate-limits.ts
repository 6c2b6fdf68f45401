import { ReelmillError, rateLimits as table } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Chores, whenDue } from "../background/index.ts";
import type { RateLimiter, RateLimitResult } from "../ports/index.ts";
import { deleteInBatches } from "../retention/index.ts";
import type { Parts } from "../system/index.ts";
import { createMemoryRateLimiter } from "./memory-rate-limiter.ts";

/**
 * The limits that are counted here. The hourly limit of an uploader is missing: it belongs to the statement that
 * initiates an upload.
 */
export type RateLimitName = Exclude<keyof typeof table, "initiate">;

/** Counts requests against the limits. */
export type RateLimits = {
	/**
	 * Counts one request of `subject` (a key's id, a video's id, a client's address) towards the limit `name`. If the
	 * limiter's store is lost, `whenLost` decides: `allow` lets the request pass uncounted, `refuse` throws (default:
	 * `refuse` for sandbox sessions, `allow` for all else). The log says once that the store was lost, and once that it
	 * is back. Returns undefined, in place of a promise, if the request passes and the limiter answered at once.
	 *
	 * @throws {ReelmillError} `rate_limited` when the limit is reached, with the first moment when a retry can succeed.
	 * The promise rejects with it.
	 */
	take(
		name: RateLimitName,
		subject: string,
		options?: { readonly whenLost?: "allow" | "refuse" },
	): Promise<void> | undefined;
};

/**
 * When to retry a request that was refused because the store is lost. A limiter tries a lost store at least this often.
 */
const retryMilliseconds = 5000;
/**
 * The store counts as back when no take failed for this long. Single takes may succeed while it is lost, from permits
 * that the limiter had fetched before.
 */
const calmMilliseconds = 10_000;

export type RateLimitsOptions = {
	/** What counts the requests (default: a limiter in this process's memory). */
	readonly limiter: RateLimiter | undefined;
};

export function createRateLimits(
	{ database, clock, logger }: Parts,
	{ limiter = createMemoryRateLimiter({ clock }) }: RateLimitsOptions,
): RateLimits & { readonly chores: Chores } {
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

	const isEnded = () => sql`ends_at <= ${new Date(clock.now())}`;
	const forgetEndedRateLimits = whenDue(
		() => sql`exists (select from reelmill.rate_limits where ${isEnded()})`,
		() => deleteInBatches(database, sql`reelmill.rate_limits`, isEnded()),
	);

	const settle = async (
		taken: RateLimitResult | Promise<RateLimitResult>,
		whenLost: "allow" | "refuse",
	): Promise<void> => {
		let result: RateLimitResult | null = null;
		try {
			result = await taken;
			worked();
		} catch (error) {
			failed(error);
		}
		if (result?.allowed || (result === null && whenLost === "allow")) return;
		const retryAt = result?.retryAt ?? new Date(clock.now() + retryMilliseconds);
		throw new ReelmillError("rate_limited", { extras: { retryAfter: retryAt.toISOString() } });
	};

	return {
		chores: { forgetEndedRateLimits },
		take(name, subject, { whenLost = name === "sandboxSession" ? "refuse" : "allow" } = {}) {
			const { limit, windowSeconds } = table[name];
			const taken = limiter.take(`${name}:${subject}`, limit, windowSeconds);
			if (!("allowed" in taken) || !taken.allowed) return settle(taken, whenLost);
			worked();
			return undefined;
		},
	};
}
