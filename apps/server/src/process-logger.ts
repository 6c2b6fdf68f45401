import { printable } from "@reelmill/contracts/printable";
import type { Logger } from "@reelmill/engine";
import pino from "pino";
import type { Config } from "./config.ts";

/**
 * Creates the logger of a process of its own: lines of JSON on standard error. `number` tells it from the other
 * processes of the server. What tenants and visitors wrote steers no terminal that shows the lines.
 */
export const createProcessLogger = ({ LOG_LEVEL }: Pick<Config, "LOG_LEVEL">, number?: number): Logger => {
	const logger = pino(
		{ level: LOG_LEVEL, serializers: { error: pino.stdSerializers.err }, hooks: { streamWrite: printable } },
		pino.destination(2),
	);
	return number === undefined ? logger : logger.child({ process: number });
};
