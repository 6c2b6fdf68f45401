import type { RateLimiter } from "@reelmill/engine/ports";

/** Two adapters over one empty store, as two processes have them, and the clock that both read. */
export type RateLimiterSubject = {
	readonly limiter: RateLimiter;
	readonly elsewhere: RateLimiter;
	readonly clock: {
		/** The time in milliseconds since the epoch. */
		now(): number;
		/** Moves the clock on. If the clock can't be moved, waits. */
		advance(milliseconds: number): Promise<void>;
	};
	/** For adapters with the capability `store`: takes the store away, and brings it back, with what it held or empty. */
	readonly store?: { lose(): Promise<void>; bringBack(): Promise<void> };
};
