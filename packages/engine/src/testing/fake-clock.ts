import type { Clock } from "../ports/index.ts";

/** A clock that stands until a test moves it. */
export type FakeClock = Clock & {
	/** Moves time on, and wakes every sleeper whose time has come. Resolves when they have had their turn. */
	advance(milliseconds: number): Promise<void>;
	/**
	 * Sets the clock forwards, or back if `milliseconds` is negative, as somebody may set a machine's clock. No time
	 * passes, so nobody wakes.
	 */
	step(milliseconds: number): void;
	/** Returns how many sleep right now. */
	sleepers(): number;
};

/**
 * Creates a clock that stands still until it is moved.
 *
 * @example
 * ```ts
 * import { createFakeClock } from "@reelmill/engine/testing";
 *
 * const clock = createFakeClock(0);
 * const slept = clock.sleep(1000).then(() => clock.now());
 * await clock.advance(1000);
 * console.log(await slept); // => 1000
 * ```
 */
export function createFakeClock(startAt = Date.parse("2026-01-31T12:00:00.000Z")): FakeClock {
	let elapsed = 0;
	let ahead = startAt;
	const sleeping = new Set<{ readonly until: number; wake(): void }>();
	return {
		now: () => elapsed + ahead,
		elapsed: () => elapsed,
		sleep(milliseconds, signal) {
			if (signal?.aborted || milliseconds <= 0) return Promise.resolve();
			return new Promise((resolve) => {
				const sleeper = {
					until: elapsed + milliseconds,
					wake() {
						sleeping.delete(sleeper);
						resolve();
					},
				};
				sleeping.add(sleeper);
				signal?.addEventListener("abort", sleeper.wake, { once: true });
			});
		},
		async advance(milliseconds) {
			elapsed += milliseconds;
			for (const sleeper of [...sleeping]) if (sleeper.until <= elapsed) sleeper.wake();
			await new Promise((resolve) => setImmediate(resolve));
		},
		step(milliseconds) {
			ahead += milliseconds;
		},
		sleepers: () => sleeping.size,
	};
}
