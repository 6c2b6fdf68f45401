import type { Clock, Database, Logger, Random } from "../ports/index.ts";

/** What every noun of the engine shares. It is the first argument of their factories. */
export type Parts = {
	readonly database: Database;
	readonly clock: Clock;
	readonly random: Random;
	readonly logger: Logger;
	/** Set if the background's work is done in another process: see `EngineOptions.backgroundElsewhere`. */
	readonly backgroundElsewhere?: ((loop: string) => void) | undefined;
};
