import { type ConfinementPart, confinementPartNames } from "@reelmill/media";
import { createDiskMetrics, createWorkerMetrics, type WorkerMetrics } from "@reelmill/operations";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

export type TranscoderMetrics = {
	readonly worker: WorkerMetrics;
	/** Sets which parts of ffmpeg's confinement are missing. Until the first call there is no value. */
	readonly setConfinement: (missing: readonly ConfinementPart[]) => void;
	readonly contentType: string;
	/** Resolves to all metrics in Prometheus' text format. */
	text(): Promise<string>;
};

/** Creates the metrics of a transcoder: those of its worker and of the disk it works on, and Node's own. */
export function createTranscoderMetrics(workDirectory: string): TranscoderMetrics {
	const registry = new Registry();
	const worker = createWorkerMetrics(registry);
	createDiskMetrics(registry, "work", workDirectory);
	const confinement = new Gauge({
		name: "reelmill_confinement",
		help: "1 if ffmpeg is confined in this respect, else 0.",
		labelNames: ["part"] as const,
		registers: [registry],
	});
	collectDefaultMetrics({ register: registry });
	return {
		worker,
		setConfinement(missing) {
			for (const part of confinementPartNames) confinement.set({ part }, missing.includes(part) ? 0 : 1);
		},
		contentType: registry.contentType,
		text: () => registry.metrics(),
	};
}
