import sql from "sql-template-tag";
import type { Clock, Database, Logger } from "../ports/index.ts";
import { systemClock } from "./clock.ts";

/** The database's clock, as this process knows it. */
export type DatabaseClock = Clock & {
	/**
	 * Asks the database for its time, and follows it from then on. Several calls at once and a slow answer do no harm: an
	 * answer only says between which two bounds the time lies, and the slower it comes, the less it says. Rejects if the
	 * database doesn't answer; then the clock goes on as it was. `ask` gets the database's time in milliseconds along
	 * with something else (default: by a statement of its own).
	 */
	measure(ask?: () => Promise<number | undefined>): Promise<void>;
	/** Returns how far the machine's own clock is ahead of the database's, in milliseconds; negative if it is behind. */
	machineAhead(): number;
};

/** The operator is told of a machine's clock that is this far from the database's. */
const tolerableMilliseconds = 2000;
const sayAgainMilliseconds = 60_000;
/**
 * The bounds of an answer may lie a little below what was thought before: then time stands still. If they lie further
 * below, the database's clock was set back, and is followed.
 */
const standStillMilliseconds = 1000;

/**
 * Creates a clock that goes by the process's own steady time, set by what the database answers. No statement costs more
 * because of it, and a change of the machine's clock has no effect. Before the first `measure` it shows what the
 * machine's clock showed when it was made.
 *
 * @example
 * ```ts
 * import { createDatabaseClock } from "@reelmill/engine";
 * import { createFakeClock, createRecordingLogger } from "@reelmill/engine/testing";
 *
 * const machine = createFakeClock();
 * const database = {
 * 	query: async () => [{ at: machine.now() + 5000 }] as never[],
 * 	migrate: async () => undefined,
 * };
 * const clock = createDatabaseClock({ database, logger: createRecordingLogger(), machine });
 * await clock.measure();
 * console.log(clock.machineAhead()); // => -5000
 * ```
 */
export function createDatabaseClock({
	database,
	logger,
	machine = systemClock,
}: {
	database: Database;
	logger: Logger;
	machine?: Clock;
}): DatabaseClock {
	let offset = machine.now() - machine.elapsed();
	let isMeasured = false;
	let latest = Number.NEGATIVE_INFINITY;
	let saidAt = Number.NEGATIVE_INFINITY;

	const now = (): number => {
		const time = Math.floor(machine.elapsed() + offset);
		if (time >= latest || latest - time > standStillMilliseconds) latest = time;
		return latest;
	};
	const machineAhead = (): number => machine.now() - now();

	const follow = (least: number, most: number): void => {
		const before = offset;
		offset = isMeasured ? Math.min(Math.max(offset, least), most) : (least + most) / 2;
		const seconds = Math.round((offset - before) / 100) / 10;
		if (isMeasured && Math.abs(offset - before) > tolerableMilliseconds)
			logger.error(
				{ seconds },
				"the database's clock was set, it failed over to a server with another one, or this machine was suspended: all that is due goes by the database's clock",
			);
		isMeasured = true;
	};
	const complain = (): void => {
		const ahead = machineAhead();
		if (Math.abs(ahead) <= tolerableMilliseconds || machine.elapsed() - saidAt < sayAgainMilliseconds) return;
		saidAt = machine.elapsed();
		const seconds = Math.round(ahead / 100) / 10;
		logger.error(
			{ seconds },
			"this machine's clock is not the database's: what is served goes by the database's, but logs and files bear wrong times; set it by NTP",
		);
	};

	const askAlone = async (): Promise<number | undefined> => {
		const [row] = await database.query<{ at: number }>(
			sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as at`,
		);
		return row?.at;
	};

	return {
		now,
		elapsed: machine.elapsed,
		sleep: machine.sleep,
		async measure(ask = askAlone) {
			const asked = machine.elapsed();
			const at = await ask();
			const answered = machine.elapsed();
			if (at === undefined) throw new Error("the database told no time");
			follow(at - answered, at - asked);
			complain();
		},
		machineAhead,
	};
}
