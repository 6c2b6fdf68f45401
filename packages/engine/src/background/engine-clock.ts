import type { BucketOpener, Clock, Database, Logger } from "../ports/index.ts";
import { createDatabaseClock } from "../system/index.ts";

/** The time that an engine goes by. */
export type EngineClock = {
	readonly clock: Clock;
	/**
	 * Returns an opener that hands the database's clock to the buckets. A clock that the engine was given isn't handed
	 * on: buckets compare requests with the real time.
	 */
	openerOf(opener: BucketOpener | undefined): BucketOpener | undefined;
	/** Whether the clock is the database's. */
	readonly isMeasured: boolean;
	/**
	 * Asks the database for its time, if the clock is the database's. Rejects if the database doesn't answer. `ask` is
	 * always called: it asks for the time along with something else (default: for the time alone).
	 */
	measure(ask?: () => Promise<number | undefined>): Promise<void>;
	/** Measures as well, but never rejects: the clock goes on while the database is silent. */
	tryToMeasure(): Promise<void>;
	/** How far this machine's clock is ahead of the database's; 0 if the engine was given a clock. */
	aheadMilliseconds(): number;
};

/** Returns the clock that was given, or else the database's. */
export function createEngineClock({
	database,
	logger,
	given,
}: {
	database: Database;
	logger: Logger;
	given: Clock | undefined;
}): EngineClock {
	if (given !== undefined) {
		const openerOf = (opener: BucketOpener | undefined) => opener;
		return {
			clock: given,
			isMeasured: false,
			openerOf,
			measure: async (ask) => void (await ask?.()),
			tryToMeasure: async () => undefined,
			aheadMilliseconds: () => 0,
		};
	}
	const clock = createDatabaseClock({ database, logger });
	return {
		clock,
		isMeasured: true,
		openerOf: (opener) => opener && { open: (bucket) => opener.open(bucket, clock) },
		measure: clock.measure,
		tryToMeasure: () => clock.measure().catch(() => undefined),
		aheadMilliseconds: clock.machineAhead,
	};
}
