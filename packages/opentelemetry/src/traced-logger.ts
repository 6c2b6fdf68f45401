import type { Tracer } from "./tracer.ts";

/** A logger such as pino's, and as the engine's and the worker's port. */
export type Logger = {
	debug(fields: object, message: string): void;
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
};

/**
 * Returns a logger that adds `trace_id` and `span_id` to what it logs inside of a span.
 *
 * @example
 * ```ts
 * import { createTracer, tracedLogger } from "@reelmill/opentelemetry";
 *
 * const logger = tracedLogger(console, createTracer());
 * logger.info({}, "no span is around"); // => {} no span is around
 * ```
 */
export function tracedLogger(logger: Logger, tracer: Pick<Tracer, "current">): Logger {
	const named = (fields: object): object => {
		const [, trace_id, span_id] = tracer.current()?.split("-") ?? [];
		return trace_id === undefined ? fields : { ...fields, trace_id, span_id };
	};
	return {
		debug: (fields, message) => logger.debug(named(fields), message),
		info: (fields, message) => logger.info(named(fields), message),
		warn: (fields, message) => logger.warn(named(fields), message),
		error: (fields, message) => logger.error(named(fields), message),
	};
}
