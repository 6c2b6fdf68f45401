import type { Clock } from "@reelmill/engine";

/** The machine's time, which leaps when a test says so: short waits are real, long ones are leapt over. */
export type LeapingClock = Clock & { leap(milliseconds: number): void };

export function createLeapingClock(): LeapingClock {
	let ahead = 0;
	const elapsed = () => performance.now() + ahead;
	const sleeping = new Set<{ readonly until: number; wake(): void }>();
	return {
		elapsed,
		now: () => Math.floor(performance.timeOrigin + elapsed()),
		sleep(milliseconds, signal) {
			if (signal?.aborted || milliseconds <= 0) return Promise.resolve();
			return new Promise((resolve) => {
				const sleeper = {
					until: elapsed() + milliseconds,
					wake() {
						sleeping.delete(sleeper);
						clearTimeout(timer);
						signal?.removeEventListener("abort", sleeper.wake);
						resolve();
					},
				};
				const timer = setTimeout(sleeper.wake, milliseconds);
				timer.unref();
				sleeping.add(sleeper);
				signal?.addEventListener("abort", sleeper.wake, { once: true });
			});
		},
		leap(milliseconds) {
			ahead += milliseconds;
			for (const sleeper of [...sleeping]) if (sleeper.until <= elapsed()) sleeper.wake();
		},
	};
}
