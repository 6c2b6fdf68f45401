import type { Clock, Database, Logger, Observer, Random, Tracer } from "../ports/index.ts";

/** What every noun of the engine shares. It is the first argument of their factories. */
export type Parts = {
	readonly database: Database;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	/** Undefined if nothing is traced. */
	readonly tracer?: Tracer | undefined;
	/** Undefined if nobody wants to know how long things took. */
	readonly observer?: Observer | undefined;
};
