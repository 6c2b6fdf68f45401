import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingOptions } from "./start-tracing.ts";

/** Returns the same exporter, which tells once when it can't send spans any more, and once when it can again. */
export function tellingTrouble(exporter: SpanExporter, onTrouble: TracingOptions["onTrouble"]): SpanExporter {
	let failing = false;
	return {
		export: (spans, done) =>
			exporter.export(spans, (result) => {
				const failed = result.code !== ExportResultCode.SUCCESS;
				if (failed !== failing) onTrouble?.(failed ? (result.error?.message ?? "unknown") : null);
				failing = failed;
				done(result);
			}),
		forceFlush: async () => exporter.forceFlush?.(),
		shutdown: () => exporter.shutdown(),
	};
}
