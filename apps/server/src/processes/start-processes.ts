import cluster from "node:cluster";
import { Registry } from "@prometheus-io/client";
import type { Logger } from "@reelmill/engine";
import { StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";
import type { RunningServer } from "../server.ts";
import { type Ground, openGround } from "../start/ground.ts";
import { openOperations } from "../start/open-operations.ts";
import { type KeptProcess, keepProcess } from "./keep-process.ts";
import { createProcessesMetrics, metricsOf, readinessOf } from "./operations-of.ts";
import { runProcess } from "./run-process.ts";

/** A server of several processes. */
export type RunningProcesses = RunningServer & {
	/** Resolves if all processes end at each start. The server is stopped then. */
	readonly failed: Promise<StartError>;
};

/**
 * Starts a server whose requests are answered by so many processes, and resolves when all of them answer. This process,
 * the primary, accepts the connections and gives them to the others in turn. It has what the server has once: the data
 * directory, the embedded database and the operations port. A process that ends is started again. If something fails
 * at the start, everything that was opened is closed again.
 *
 * @throws {StartError} when the start can't go on; the message says what is wrong and what to do.
 */
export async function startProcesses(
	config: Config,
	logger: Logger,
	onProgress: (step: string) => void,
	count: number,
): Promise<RunningProcesses> {
	const operations = await openOperations(config, logger);
	// Connections in turn: the kernel gives most of those that come at once to one process.
	cluster.schedulingPolicy = cluster.SCHED_RR;
	// The metrics have values that JSON does not have.
	cluster.setupPrimary({ serialization: "advanced" });
	const failed = Promise.withResolvers<StartError>();
	const processes: KeptProcess[] = [];
	/** All that run listen on the same. For 0 they share the one that the first got, until none of them runs. */
	let port = config.PORT;
	let openPort: number | null = null;
	let [isStopping, hasFailed] = [false, false];
	let ground: Promise<Ground> | undefined;
	const openOnce = (baseUrl: string) => {
		ground ??= openGround(config, count, logger, onProgress, baseUrl);
		return ground;
	};

	const stop = async () => {
		isStopping = true;
		await Promise.all(processes.map((each) => each.stop()));
		await ground?.then(({ close }) => close()).catch(() => undefined);
		await operations?.close();
	};
	const onEnded = async (reason: string) => {
		if (hasFailed || !processes.every((each) => each.isHopeless())) return;
		hasFailed = true;
		await stop();
		failed.resolve(new StartError(`Each process of the server ended soon after each of its last starts: ${reason}`));
	};
	const start = (process: number): KeptProcess => {
		const run = () => {
			if (!processes.some((each) => each.isRunning())) port = openPort ?? config.PORT;
			return runProcess({ process, processes: count, port, openPort, openGround: openOnce });
		};
		const kept = keepProcess({ process, run, logger, onEnded: (reason) => void onEnded(reason) });
		processes.push(kept);
		return kept;
	};
	try {
		// The first one brings the schema up to date, and makes keys and the first tenant.
		const first = start(1);
		const { port: own, ...told } = await first.started;
		openPort = own;
		await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 2).started));
		for (const each of processes) each.keep();
		const ours = createProcessesMetrics(processes);
		operations?.show({
			ready: () => readinessOf(processes, isStopping),
			metrics: { contentType: Registry.PROMETHEUS_CONTENT_TYPE, text: () => metricsOf(processes, ours) },
		});
		return { ...told, operationsPort: operations?.port ?? null, stop, failed: failed.promise };
	} catch (error) {
		await stop();
		throw error;
	}
}
