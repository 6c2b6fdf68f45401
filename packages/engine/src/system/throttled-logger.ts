import { LRUCache } from "lru-cache";
import { type Clock, type Logger, unavailableIn } from "../ports/index.ts";

const brand = Symbol.for("reelmill.calm-logger");
const quietMilliseconds = 60_000;

/** When it was logged, and how often it was left out since. */
type Told = { readonly at: number; leftOut: number };

/**
 * Returns a logger that reports a lack (of the database, a disk, file descriptors) once a minute, and not with
 * everything that fails because of it. Of the warnings and errors whose field `error` tells of such a lack, the first
 * is logged, with `unavailable` among its fields, and then one a minute, with the number `leftOut`. The others go to
 * `debug`. Everything else passes. Buckets count one by one if the field `profileId` tells them apart. A logger that is
 * throttled already is returned as it is, so that all who share it report once.
 *
 * @example
 * ```ts
 * import { createThrottledLogger, StorageError, systemClock } from "@reelmill/engine";
 *
 * const lines: string[] = [];
 * const write = (_: object, message: string) => void lines.push(message);
 * const logger = createThrottledLogger({ debug() {}, info: write, warn: write, error: write }, systemClock);
 * const error = new StorageError("unreachable", "No answer");
 * for (let tries = 0; tries < 3; tries++) logger.warn({ error }, "not stored");
 * console.log(lines); // => [ 'not stored' ]
 * ```
 */
export function createThrottledLogger(logger: Logger, clock: Clock): Logger {
	if (brand in logger) return logger;
	const told = new LRUCache<string, Told>({ max: 1000 });
	const throttle = (level: "warn" | "error") => (fields: object, message: string) => {
		const unavailable = "error" in fields ? unavailableIn(fields.error) : null;
		if (unavailable === null) return logger[level](fields, message);
		const key = unavailable === "storage" && "profileId" in fields ? `storage ${fields.profileId}` : unavailable;
		const last = told.get(key);
		if (last !== undefined && clock.elapsed() - last.at < quietMilliseconds) {
			last.leftOut++;
			return logger.debug(fields, message);
		}
		told.set(key, { at: clock.elapsed(), leftOut: 0 });
		const leftOut = last?.leftOut ?? 0;
		logger[level]({ ...fields, unavailable, ...(leftOut > 0 && { leftOut }) }, message);
	};
	const throttled: Logger = {
		debug: (fields, message) => logger.debug(fields, message),
		info: (fields, message) => logger.info(fields, message),
		warn: throttle("warn"),
		error: throttle("error"),
	};
	return Object.defineProperty(throttled, brand, { value: true });
}
