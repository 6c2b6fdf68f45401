import type { Logger } from "@reelmill/engine";
import type { RunningTracing } from "@reelmill/opentelemetry";
import type { Config } from "../config.ts";
import { version } from "../version.ts";

type Untraced = Pick<RunningTracing, "logger" | "stop"> & { readonly tracer: undefined };

/** Starts the tracing that the settings ask for. Nothing of OpenTelemetry is loaded if they name no collector. */
export async function openTracing({ tracing }: Config, logger: Logger): Promise<RunningTracing | Untraced> {
	if (tracing === null) return { logger, tracer: undefined, stop: async () => {} };
	const { startTracing } = await import("@reelmill/opentelemetry");
	return startTracing({ ...tracing, serviceName: "reelmill-server", serviceVersion: version, logger });
}
