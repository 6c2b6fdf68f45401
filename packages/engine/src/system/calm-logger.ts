import { LRUCache } from "lru-cache";
import { type Clock, type Logger, unavailableIn } from "../ports/index.ts";

const brand = Symbol.for("reelmill.calm-logger");
const quietMilliseconds = 60_000;

/** When it was said, and how often it was not since. */
type Told = { readonly at: number; leftOut: number };

/**
 * A logger that says of what is missing (the database, a disk, file descriptors) once a minute that it is, and not with
 * everything that fails for want of it: of warnings and errors whose field `error` says so, the first goes through,
 * with what is `unavailable` beside its fields, and from then on one a minute, with how many were `leftOut`. Those go
 * to `debug`. All else passes. A calm logger is answered as it is, so that all who share it say it once. Buckets count
 * one by one where the field `profileId` tells them apart.
 */
export function createCalmLogger(logger: Logger, clock: Clock): Logger {
	if (brand in logger) return logger;
	const told = new LRUCache<string, Told>({ max: 1000 });
	const calm = (level: "warn" | "error") => (fields: object, message: string) => {
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
	const calmed: Logger = {
		debug: (fields, message) => logger.debug(fields, message),
		info: (fields, message) => logger.info(fields, message),
		warn: calm("warn"),
		error: calm("error"),
	};
	return Object.defineProperty(calmed, brand, { value: true });
}
