import type { BucketOpener, Clock, Database, Logger } from "../ports/index.ts";
import { createDatabaseClock, type Parts } from "../system/index.ts";
import { createLoop, type Loop } from "./loop.ts";

/** The time that an engine goes by. */
export type EngineClock = {
	readonly clock: Clock;
	/**
	 * Returns an opener that hands the database's clock to the buckets. A clock that the engine was given isn't handed
	 * on: buckets compare requests with the real time.
	 */
	openerOf(opener: BucketOpener | undefined): BucketOpener | undefined;
	/** Asks the database for its time, if the clock is the database's. Rejects if the database doesn't answer. */
	measure(): Promise<void>;
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
		const nothing = async () => undefined;
		const openerOf = (opener: BucketOpener | undefined) => opener;
		const none = { openerOf, measure: nothing, tryToMeasure: nothing, aheadMilliseconds: () => 0 };
		return { ...none, clock: given };
	}
	const clock = createDatabaseClock({ database, logger });
	return {
		clock,
		openerOf: (opener) => opener && { open: (bucket) => opener.open(bucket, clock) },
		measure: clock.measure,
		tryToMeasure: () => clock.measure().catch(() => undefined),
		aheadMilliseconds: clock.machineAhead,
	};
}

/** A process's steady time drifts from the database's by less than 1 ms in this time. */
const measureMilliseconds = 1000;

/** A loop that measures again and again. */
export const createMeasuring = (parts: Parts, time: EngineClock): Loop =>
	createLoop(parts, {
		name: "clock",
		work: () => time.tryToMeasure().then(() => false),
		intervalMilliseconds: measureMilliseconds,
		everywhere: true,
	});
