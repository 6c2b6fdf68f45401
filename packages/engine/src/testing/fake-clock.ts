import type { Clock } from "../ports/index.ts";

export type FakeClock = Clock & {
	/** Moves time on, and wakes every sleeper whose time has come. Resolves when they have had their turn. */
	advance(milliseconds: number): Promise<void>;
	/** How many sleep right now. */
	sleepers(): number;
};

/** A clock that stands still until it is moved. */
export function createFakeClock(startAt = Date.parse("2026-01-31T12:00:00.000Z")): FakeClock {
	let now = startAt;
	const sleeping = new Set<{ readonly until: number; wake(): void }>();
	return {
		now: () => now,
		sleep(milliseconds, signal) {
			if (signal?.aborted || milliseconds <= 0) return Promise.resolve();
			return new Promise((resolve) => {
				const sleeper = {
					until: now + milliseconds,
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
			now += milliseconds;
			for (const sleeper of [...sleeping]) if (sleeper.until <= now) sleeper.wake();
			await new Promise((resolve) => setImmediate(resolve));
		},
		sleepers: () => sleeping.size,
	};
}
