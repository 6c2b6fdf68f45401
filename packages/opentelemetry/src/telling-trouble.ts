import { ExportResultCode } from "@opentelemetry/core";
import type { SpanExporter } from "@opentelemetry/sdk-trace";

/** Returns the same exporter, which tells once when it can't send spans any more, and once when it can again. */
export function tellingTrouble(
	exporter: SpanExporter,
	onTrouble: ((reason: string | null) => void) | undefined,
): SpanExporter {
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
