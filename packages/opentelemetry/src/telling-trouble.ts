import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { Logger } from "./traced-logger.ts";

/** Returns the same exporter, which logs once when it can't send spans any more, and once when it can again. */
export function tellingTrouble(exporter: SpanExporter, logger: Logger): SpanExporter {
	let failing = false;
	return {
		export: (spans, done) =>
			exporter.export(spans, (result) => {
				const failed = result.code !== ExportResultCode.SUCCESS;
				const cause = result.error?.message ?? "unknown";
				if (failed && !failing) logger.warn({ cause }, "traces can't be sent; they are lost until they can");
				if (failing && !failed) logger.info({}, "traces can be sent again");
				failing = failed;
				done(result);
			}),
		forceFlush: async () => exporter.forceFlush?.(),
		shutdown: () => exporter.shutdown(),
	};
}
