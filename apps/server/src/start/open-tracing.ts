import type { Logger } from "@reelmill/engine";
import type { Tracer } from "@reelmill/opentelemetry";
import type { Config } from "../config.ts";
import { version } from "../version.ts";

export type Tracing = {
	/** The given logger, with `trace_id` and `span_id` in what it logs inside of a span. */
	readonly logger: Logger;
	/** Undefined if the settings name no collector. Then nothing of OpenTelemetry is loaded. */
	readonly tracer: Tracer | undefined;
	/** Sends what was recorded. */
	readonly stop: () => Promise<void>;
};

/** Starts the tracing that the settings ask for. */
export async function openTracing({ tracing }: Config, logger: Logger): Promise<Tracing> {
	if (tracing === null) return { logger, tracer: undefined, stop: async () => {} };
	const { startTracing, tracedLogger } = await import("@reelmill/opentelemetry");
	const onTrouble = (cause: string | null): void => {
		if (cause === null) logger.info({}, "traces can be sent again");
		else logger.warn({ cause }, "traces can't be sent; they are lost until they can");
	};
	const { tracer, stop } = await startTracing({
		...tracing,
		serviceName: "reelmill-server",
		serviceVersion: version,
		onTrouble,
	});
	return { logger: tracedLogger(logger, tracer), tracer, stop };
}
