import { type Clock, systemClock } from "@reelmill/engine";

/** A clock that goes as the machine's does, and can be moved ahead. */
export type TestClock = Clock & {
	/** Moves time on, and wakes every sleeper whose time has come. */
	advance(milliseconds: number): void;
};

/** `startAt` is the first time that the clock shows, in Unix milliseconds (default: the machine's). */
export function createTestClock(startAt: number | null): TestClock {
	let moved = 0;
	const ahead = startAt === null ? 0 : startAt - systemClock.now();
	const elapsed = () => systemClock.elapsed() + moved;
	const sleeping = new Set<{ readonly until: number; readonly woken: AbortController }>();
	return {
		now: () => Math.round(systemClock.now() + ahead + moved),
		elapsed,
		async sleep(milliseconds, signal) {
			const sleeper = { until: elapsed() + milliseconds, woken: new AbortController() };
			sleeping.add(sleeper);
			const either = signal ? AbortSignal.any([signal, sleeper.woken.signal]) : sleeper.woken.signal;
			// A timer of Node takes at most 2^31 - 1 ms; longer sleeps end by `advance` alone.
			if (!either.aborted) await systemClock.sleep(Math.min(milliseconds, 2 ** 31 - 1), either);
			sleeping.delete(sleeper);
		},
		advance(milliseconds) {
			moved += milliseconds;
			for (const sleeper of sleeping) if (sleeper.until <= elapsed()) sleeper.woken.abort();
		},
	};
}
