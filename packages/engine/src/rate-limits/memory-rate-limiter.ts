import { LRUCache } from "lru-cache";
import { atMost } from "../caches/index.ts";
import type { Clock, RateLimiter, RateLimitResult } from "../ports/index.ts";
import { systemClock } from "../system/index.ts";

/**
 * For a large limit: the window's end and how many were taken in it. For a small limit: the time of each take. Times
 * are those of {@link Clock.elapsed}.
 */
type Counted = { endsAt: number; taken: number; takes: number[] };

/** Limits below this hold in any period of the window's length, as the port promises. */
const exactBelow = 200;

/**
 * Creates a rate limiter for an installation of one process. It remembers `maxKeys` keys (default: 100,000). Beyond
 * that it forgets the key that was used longest ago, which then begins anew. Its `take` never rejects.
 *
 * @example
 * ```ts
 * import { createMemoryRateLimiter } from "@reelmill/engine";
 *
 * const limiter = createMemoryRateLimiter();
 * await limiter.take("uploads:203.0.113.7", 2, 60);
 * await limiter.take("uploads:203.0.113.7", 2, 60);
 * const { allowed } = await limiter.take("uploads:203.0.113.7", 2, 60);
 * console.log(allowed); // => false
 * ```
 */
export function createMemoryRateLimiter({
	clock = systemClock,
	maxKeys = 100_000,
}: {
	clock?: Pick<Clock, "now" | "elapsed">;
	maxKeys?: number;
} = {}): RateLimiter {
	const keys = new LRUCache<string, Counted>(atMost(maxKeys));
	const refusal = (until: number): RateLimitResult => ({
		allowed: false,
		retryAt: new Date(Math.ceil(clock.now() + until - clock.elapsed())),
	});
	return {
		take(key, limit, windowSeconds) {
			const now = clock.elapsed();
			const milliseconds = windowSeconds * 1000;
			let counted = keys.get(key);
			if (counted === undefined) {
				counted = { endsAt: 0, taken: 0, takes: [] };
				keys.set(key, counted);
			}
			if (limit < exactBelow) {
				counted.takes = counted.takes.filter((at) => at + milliseconds > now);
				const [oldest] = counted.takes;
				if (oldest !== undefined && counted.takes.length >= limit) return refusal(oldest + milliseconds);
				counted.takes.push(now);
				return { allowed: true };
			}
			if (counted.endsAt <= now) Object.assign(counted, { endsAt: now + milliseconds, taken: 0 });
			if (counted.taken >= limit) return refusal(counted.endsAt);
			counted.taken++;
			return { allowed: true };
		},
	};
}
