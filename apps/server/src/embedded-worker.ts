import type { RequestListener } from "node:http";
import { join } from "node:path";
import type { Engine } from "@reelmill/engine";
import { findHardware } from "@reelmill/media";
import { findWorkerPrograms, type WorkerPrograms } from "@reelmill/operations";
import { createGuardedFetch } from "@reelmill/outbound";
import { createWorker } from "@reelmill/worker";
import type { Config } from "./config.ts";
import type { ServerMetrics } from "./operations/metrics.ts";
import { listen } from "./start/listen.ts";

/**
 * Finds and tries the programs of embedded workers.
 *
 * @throws {StartError} when one is missing, does not work, or can't be confined although the setting requires it.
 */
export const findPrograms = (config: Config): Promise<WorkerPrograms> =>
	findWorkerPrograms(config, {
		searchPath: process.env.PATH,
		resolveWhisper: () => import.meta.resolve("@fugood/whisper.node"),
		otherwise: "; REELMILL_EMBEDDED_WORKERS=0 starts without",
	});

export type EmbeddedWorkerOptions = {
	readonly config: Config;
	readonly engine: Engine;
	/** Serves the engine. The worker reaches it by a port of its own. */
	readonly listener: RequestListener;
	/** Tells the worker of this server from those of other servers. */
	readonly name: string;
	readonly programs: WorkerPrograms;
	/** Are told of the confinement, and of the worker; `null` if they are not served. */
	readonly metrics: Pick<ServerMetrics, "setConfinement" | "worker"> | null;
};

/** Starts the embedded worker. Returns what stops it: the worker gives its jobs back, then its port is closed. */
export async function startEmbeddedWorker(options: EmbeddedWorkerOptions): Promise<() => Promise<void>> {
	const { config, engine, listener, name, programs, metrics } = options;
	const { logger, tracer } = engine;
	const { hardware } = await findHardware(programs.tools, {
		choice: config.ENCODER,
		device: config.ENCODER_DEVICE,
		logger,
	});
	const { issueToken } = await engine.accounts.ensure({ name });
	// On a port of its own, clients can use up neither what the worker's address may request nor the public connections.
	const inside = await listen("127.0.0.1", 0, { logger });
	inside.serve(listener);
	const guarded = createGuardedFetch({ allow: config.STORAGE_ALLOW_CIDRS });
	const worker = createWorker({
		apiUrl: `http://127.0.0.1:${inside.port}`,
		name,
		issueToken,
		workDirectory: join(config.DATA_DIR, "work"),
		concurrency: config.EMBEDDED_WORKERS,
		chunkWorkers: config.CHUNK_WORKERS,
		tools: { ...programs.tools, hardware },
		logger,
		...(tracer !== undefined && { tracer }),
		fetchFromTenants: guarded.fetch,
		transcriber: programs.transcriber ?? undefined,
		...(metrics !== null && { onConfinement: metrics.setConfinement, onJobEnded: metrics.worker.onJobEnded }),
	});
	metrics?.worker.show(worker.status);
	worker.start();
	return async () => {
		await worker.stop();
		await guarded.close();
		await inside.close(0);
	};
}
