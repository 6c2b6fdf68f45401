import { AggregatorRegistry, Counter, Gauge, Registry } from "@prometheus-io/client";
import type { Readiness } from "@reelmill/contracts";
import type { MetricValues } from "../operations/metrics.ts";
import type { KeptProcess } from "./keep-process.ts";

/** Resolves to whether all processes can take traffic. A process that is away, or doesn't answer, can't. */
export async function readinessOf(processes: readonly KeptProcess[], isStopping: boolean): Promise<Readiness> {
	const all = await Promise.all(processes.map((each) => each.ask("ready")));
	const answered = all.filter((one) => one !== null);
	const has = (check: keyof Readiness["checks"]) =>
		answered.length > 0 && answered.every(({ checks }) => checks[check]);
	const checks = {
		serving: !isStopping && answered.length === all.length && has("serving"),
		database: has("database"),
		storage: has("storage"),
	};
	return { status: Object.values(checks).every(Boolean) ? "ok" : "unavailable", checks };
}

/** Creates the metrics of the processes themselves. */
export function createProcessesMetrics(processes: readonly KeptProcess[]): Registry {
	const registry = new Registry();
	const registers = [registry];
	new Gauge({
		name: "reelmill_processes",
		help: "Processes that answer requests.",
		registers,
		collect() {
			this.set(processes.filter((each) => each.isServing()).length);
		},
	});
	new Counter({
		name: "reelmill_processes_ended_total",
		help: "Processes that ended by themselves and were started again.",
		registers,
		collect() {
			this.reset();
			this.inc(processes.reduce((sum, each) => sum + each.ends(), 0));
		},
	});
	return registry;
}

/**
 * Resolves to the metrics of all processes in Prometheus' text format. What is the same in all of them is asked of the
 * first one that answers.
 */
export async function metricsOf(processes: readonly KeptProcess[], ours: Registry): Promise<string> {
	const [own, common, processesMetrics] = await Promise.all([
		Promise.all(processes.map((each) => each.ask("own metrics"))),
		commonMetrics(processes),
		ours.getMetricsAsJSON(),
	]);
	const all = [...own, common, processesMetrics].filter((values) => values !== null);
	return AggregatorRegistry.aggregate(all).metrics();
}

async function commonMetrics(processes: readonly KeptProcess[]): Promise<MetricValues | null> {
	for (const each of processes) {
		const values = await each.ask("common metrics");
		if (values !== null) return values;
	}
	return null;
}
