import { Gauge, Registry } from "@prometheus-io/client";
import type { Database, Metrics, Observer } from "@reelmill/engine";
import type { HttpOptions } from "@reelmill/http";
import type { ConfinementPart } from "@reelmill/media";
import {
	createConfinementMetrics,
	createDiskMetrics,
	createWorkerMetrics,
	type WorkerMetrics,
} from "@reelmill/operations";
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
	/**
	 * Resolves to the values of this process's own metrics, or of those that all processes of the server have alike: of
	 * the installation and of the machine.
	 */
	values(of: "process" | "common"): Promise<MetricValues>;
	/** Returns the name of each metric with those of its labels. */
	labels(): [string, readonly string[]][];
};

/** The values of metrics, as one process gives them to another. */
export type MetricValues = Awaited<ReturnType<Registry["getMetricsAsJSON"]>>;

const timeoutMilliseconds = 3000;

/**
 * Creates the metrics of a process that answers requests. `embedded` says whether it has workers of its own,
 * `directory` where its data lie; `elapsed` returns milliseconds that only go forwards. If the server has several
 * processes, `process` is a label of each metric that is not the same in all of them.
 */
export function createServerMetrics({
	embedded = true,
	directory,
	process,
	elapsed = () => performance.now(),
}: {
	embedded?: boolean;
	directory: string;
	process?: number | undefined;
	elapsed?: () => number;
}): ServerMetrics {
	const registry = new Registry();
	if (process !== undefined) registry.setDefaultLabels({ process: String(process) });
	/** Of the metrics that all processes of a server have alike. */
	const common = new Registry();
	const observe = createRequestMetrics(registry);
	createDiskMetrics(common, "data", directory);
	const up = new Gauge({
		name: "reelmill_database_up",
		help: "1 if the database answered in time, else 0.",
		registers: [common],
	});
	const installation = createInstallationMetrics(common, elapsed);
	const worker = createWorkerMetrics(embedded ? registry : new Registry());
	let shown: Metrics | undefined;
	/** Counts the installation. */
	const count = async () => {
		const now = shown === undefined ? null : await within(shown.installation(), timeoutMilliseconds);
		up.set(now === null ? 0 : 1);
		if (now === null) installation.missed();
		else installation.set(now);
	};
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
			await count();
			return Registry.merge([registry, common]).metrics();
		},
		async values(of) {
			if (of === "process") return registry.getMetricsAsJSON();
			await count();
			return common.getMetricsAsJSON();
		},
		labels: () =>
			[registry, common].flatMap((each) => each.getMetricsAsArray()).map((metric) => [metric.name, labelsOf(metric)]),
	};
}

/** @prometheus-io/client keeps the names of a metric's labels, and has no type for that. */
const labelsOf = (metric: object): readonly string[] => (metric as { labelNames?: string[] }).labelNames ?? [];
