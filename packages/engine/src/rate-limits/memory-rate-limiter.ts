import { LRUCache } from "lru-cache";
import type { Clock, RateLimiter, RateLimitResult } from "../ports/index.ts";
import { systemClock } from "../system/index.ts";

/**
 * Of a window: its end and what was taken in it. Of a small limit: when each take was. Times by {@link Clock.elapsed}.
 */
type Counted = { endsAt: number; taken: number; takes: number[] };

/** Limits below this hold in any stretch of the window's length, as the port promises. */
const exactBelow = 200;

/**
 * A limiter for an installation of one process. It keeps `maxKeys` keys (default 100 000); beyond that the one that was
 * asked for longest ago is forgotten, and begins anew. It never rejects.
 */
export function createMemoryRateLimiter({
	clock = systemClock,
	maxKeys = 100_000,
}: {
	clock?: Pick<Clock, "now" | "elapsed">;
	maxKeys?: number;
} = {}): RateLimiter {
	const keys = new LRUCache<string, Counted>({ max: maxKeys });
	const refusal = (until: number): RateLimitResult => ({
		allowed: false,
		retryAt: new Date(Math.ceil(clock.now() + until - clock.elapsed())),
	});
	return {
		async take(key, limit, windowSeconds) {
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
