export { systemClock } from "./clock.ts";
export { createDatabaseClock, type DatabaseClock } from "./database-clock.ts";
export { createdOnDayOf, datedId } from "./dated-id.ts";
export type { Parts } from "./parts.ts";
export { systemRandom } from "./random.ts";
export { createThrottledLogger } from "./throttled-logger.ts";
export { traced } from "./traced.ts";
export { tracedDatabase } from "./traced-database.ts";
export { race, within } from "./within.ts";
