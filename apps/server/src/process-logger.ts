import type { Logger } from "@reelmill/engine";
import pino from "pino";
import type { Config } from "./config.ts";

/** Creates the logger of a process of its own: lines of JSON on standard error. */
export const createProcessLogger = ({ LOG_LEVEL }: Pick<Config, "LOG_LEVEL">): Logger =>
	pino({ level: LOG_LEVEL, serializers: { error: pino.stdSerializers.err } }, pino.destination(2));
