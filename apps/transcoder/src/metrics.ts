import { collectDefaultMetrics, Registry } from "@prometheus-io/client";
import type { ConfinementPart } from "@reelmill/media";
import {
	createConfinementMetrics,
	createDiskMetrics,
	createWorkerMetrics,
	type WorkerMetrics,
} from "@reelmill/operations";

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
	const setConfinement = createConfinementMetrics(registry);
	collectDefaultMetrics({ register: registry });
	return {
		worker,
		setConfinement,
		contentType: registry.contentType,
		text: () => registry.metrics(),
	};
}
