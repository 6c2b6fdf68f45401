import type { Database, Metrics, Observer } from "@reelmill/engine";
import type { HttpOptions } from "@reelmill/http";
import type { ConfinementPart } from "@reelmill/media";
import { createDiskMetrics, createWorkerMetrics, type WorkerMetrics } from "@reelmill/operations";
import { Gauge, Registry } from "prom-client";
import { createConfinementMetrics } from "./confinement-metrics.ts";
import { createDatabaseMetrics, type Load } from "./database-metrics.ts";
import { createEngineMetrics } from "./engine-metrics.ts";
import { createInstallationMetrics } from "./installation-metrics.ts";
import { createProcessMetrics } from "./process-metrics.ts";
import { createRequestMetrics } from "./request-metrics.ts";
import { within } from "./within.ts";

export type ServerMetrics = {
	readonly observe: NonNullable<HttpOptions["observe"]>;
	/**
	 * Sets which parts of ffmpeg's confinement are missing in embedded workers. Until the first call there is no value.
	 */
	readonly setConfinement: (missing: readonly ConfinementPart[]) => void;
	readonly contentType: string;
	/** Is told of embedded workers. */
	readonly worker: WorkerMetrics;
	/** Is told how long things took in the engine. */
	readonly observer: Observer;
	/** Returns the database with its statements measured. */
	measured(database: Database & Load): Database;
	/** Begins to show what this engine counts. Until then there are no such metrics. */
	show(metrics: Metrics): void;
	/**
	 * Resolves to all metrics in Prometheus' text format. If the database does not answer within 3 s, those of the whole
	 * installation have the values of its last answer.
	 */
	text(): Promise<string>;
	/** Returns the name of each metric with those of its labels. */
	labels(): [string, readonly string[]][];
};

const timeoutMilliseconds = 3000;

/**
 * Creates the metrics of a server. `embedded` says whether it has workers of its own, `directory` where its data lie;
 * `elapsed` returns milliseconds that only go forwards.
 */
export function createServerMetrics({
	embedded = true,
	directory,
	elapsed = () => performance.now(),
}: {
	embedded?: boolean;
	directory: string;
	elapsed?: () => number;
}): ServerMetrics {
	const registry = new Registry();
	const observe = createRequestMetrics(registry);
	createDiskMetrics(registry, "data", directory);
	const up = new Gauge({
		name: "reelmill_database_up",
		help: "1 if the database answered in time, else 0.",
		registers: [registry],
	});
	const installation = createInstallationMetrics(registry, elapsed);
	const worker = createWorkerMetrics(embedded ? registry : new Registry());
	let shown: Metrics | undefined;
	return {
		observe,
		worker,
		observer: createEngineMetrics(registry),
		measured: createDatabaseMetrics(registry, elapsed),
		setConfinement: createConfinementMetrics(registry),
		contentType: registry.contentType,
		show(metrics) {
			shown = metrics;
			createProcessMetrics(registry, metrics.thisProcess);
		},
		async text() {
			const now = shown === undefined ? null : await within(shown.installation(), timeoutMilliseconds);
			up.set(now === null ? 0 : 1);
			if (now === null) installation.missed();
			else installation.set(now);
			return registry.metrics();
		},
		labels: () => registry.getMetricsAsArray().map((metric) => [metric.name, labelsOf(metric)]),
	};
}

/** prom-client keeps the names of a metric's labels, and has no type for that. */
const labelsOf = (metric: object): readonly string[] => (metric as { labelNames?: string[] }).labelNames ?? [];
