import { availableParallelism } from "node:os";
import type { Job } from "@reelmill/contracts";
import { type Bounds, createBounds, isBounded } from "./bounds.ts";
import { claimJobs, createTrouble } from "./claim-loop.ts";
import { checkItself } from "./health/check-itself.ts";
import { createHealth } from "./health/health.ts";
import { type OwnFault, ownFaultOf } from "./health/own-fault.ts";
import type { WorkerParts } from "./job/attempt.ts";
import { thisMachine } from "./machine.ts";
import { prepare } from "./prepare.ts";
import { sleep } from "./retry.ts";
import { createServiceClient } from "./service-client/service-client.ts";
import { createWorkDirectory } from "./work-directory/work-directory.ts";
import type { WorkerOptions } from "./worker-options.ts";

/** A worker: started, and stopped. */
export type Worker = {
	/**
	 * Begins to claim jobs, and returns at once. If the server can't be reached, the worker tries until it can. A second
	 * call while the worker runs does nothing.
	 */
	start(): void;
	/**
	 * Claims no more jobs; resolves when no job, no request and no child program is left. A job that outlasts the grace
	 * is aborted and given back for another attempt. A second call, or a call without a start, resolves likewise.
	 */
	stop(): Promise<void>;
	/** Returns what the worker does at this moment. */
	status(): WorkerStatus;
};

/** What a worker does. */
export type WorkerStatus = {
	/** Whether it claims jobs: it was started, is not stopping, is well, and its last claim was answered. */
	readonly claims: boolean;
	/**
	 * What it found wrong with itself: a code of `@reelmill/contracts/worker-faults`, and a sentence. It claims no jobs
	 * until it finds itself well; `null` if nothing is wrong.
	 */
	readonly illness: Pick<OwnFault, "code" | "message"> | null;
	/** The jobs that it has. */
	readonly jobs: readonly Pick<Job, "id" | "kind" | "attempt">[];
};

/**
 * How often the work directory is tidied. A folder of a killed process, which counts as abandoned after five minutes,
 * is gone within ten, even if no job comes.
 */
const tidyMilliseconds = 240_000;

/**
 * Creates a worker that claims jobs over the internal plane and does them, as many at the same time as `concurrency`
 * says. It opens nothing before `start()`.
 *
 * @example
 * ```ts
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { createWorker } from "@reelmill/worker";
 *
 * const worker = createWorker({
 * 	apiUrl: "http://127.0.0.1:8787",
 * 	name: "transcoder-1",
 * 	secret: "the service account's secret",
 * 	workDirectory: join(tmpdir(), "reelmill-worker-example"),
 * 	tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
 * 	logger: { debug() {}, info() {}, warn() {}, error() {} },
 * });
 * worker.start();
 * await worker.stop();
 * console.log("stopped"); // => stopped
 * ```
 */
export function createWorker(options: WorkerOptions): Worker {
	const { logger, graceSeconds = 10, endsAfter = {} } = options;
	const concurrency = Math.min(options.concurrency ?? 1, endsAfter.jobs ?? Number.POSITIVE_INFINITY);
	let running: Running | undefined;
	const onJobEnded: WorkerOptions["onJobEnded"] = (ended) => {
		if (running?.dropping.signal.aborted && ended.outcome === "given_back") running.gaveBack = true;
		options.onJobEnded?.(ended);
	};
	const parts = partsOf({ ...options, concurrency, onJobEnded });
	const { workDirectory, wait } = parts;
	const trouble = createTrouble(logger);
	const claim = async (takesSandbox: boolean) => ({
		waitSeconds: options.claimWaitSeconds ?? 20,
		takesChunks: parts.chunkWorkers > 1,
		takesTranscripts: options.transcriber !== undefined,
		takesSandbox,
		machine: options.machine ?? (await thisMachine()),
	});
	const name = options.worker ?? options.name;
	const { tools, transcriber, service } = parts;
	const own = {
		...{ tools, transcriber, workDirectory, logger, directory: options.workDirectory },
		leastFreeBytes: options.leastFreeBytes ?? 1024 ** 3,
		fetch: options.fetch ?? fetch,
	};
	let takesSandbox = false;
	const endIll = (fault: OwnFault) => running?.bounds.endIll(fault);
	const health = createHealth({
		check: (buckets, signal) => checkItself(own, buckets, signal),
		async tell(fault, signal) {
			await service.claim(name, { ...(await claim(takesSandbox)), waitSeconds: 0, fault }, signal);
		},
		...{ logger, wait },
		...(isBounded(endsAfter) && { end: endIll }),
	});
	const onFailure = (error: unknown) => {
		if (isBounded(endsAfter)) endIll(ownFaultOf(error) ?? { code: "program_unusable", message: String(error) });
	};
	const run = async (bounds: Bounds, stopped: AbortSignal, dropped: AbortSignal) => {
		const stopping = AbortSignal.any([stopped, bounds.signal]);
		takesSandbox = await prepare({ options, workDirectory, wait, trouble, stopping, onFailure });
		const loop = { name, claim: await claim(takesSandbox), parts, trouble, health, bounds, stopping, stopped, dropped };
		await Promise.all(Array.from({ length: concurrency }, () => claimJobs(loop)));
	};
	const tidy = () =>
		workDirectory
			.tidy()
			.catch((error: unknown) => logger.warn({ cause: String(error) }, "the work directory could not be tidied"));
	const finish = (ended: Running) => {
		clearInterval(ended.tidying);
		running = undefined;
		options.onEnded?.(ended.bounds.end(ended.gaveBack));
	};
	return {
		status: () => ({
			claims:
				running !== undefined &&
				!running.stopping.signal.aborted &&
				!running.bounds.signal.aborted &&
				health.illness() === null &&
				trouble.isOver(),
			illness: health.illness(),
			jobs: [...parts.jobs].map(({ id, kind, attempt }) => ({ id, kind, attempt })),
		}),
		start() {
			if (running !== undefined) return;
			const stopping = new AbortController();
			const dropping = new AbortController();
			const bounds = createBounds(endsAfter, parts.jobs);
			const ended = run(bounds, stopping.signal, dropping.signal).then(() => finish(begun));
			const tidying = setInterval(() => void tidy(), tidyMilliseconds).unref();
			const begun: Running = { stopping, dropping, bounds, ended, tidying, gaveBack: false };
			running = begun;
		},
		async stop() {
			if (running === undefined) return;
			const { stopping, dropping, ended } = running;
			stopping.abort(new Error("The worker is stopping."));
			const over = new AbortController();
			const grace = wait(graceSeconds * 1000, over.signal).then(() =>
				dropping.abort(new Error("The worker was stopped.")),
			);
			await ended;
			over.abort();
			await grace;
		},
	};
}

type Running = {
	/** Aborts the claims. */
	readonly stopping: AbortController;
	/** Aborts the jobs. */
	readonly dropping: AbortController;
	readonly bounds: Bounds;
	readonly ended: Promise<void>;
	readonly tidying: NodeJS.Timeout;
	/** Whether a job was aborted and given back. */
	gaveBack: boolean;
};

/** Gives each of the jobs that run at the same time its share of the processors. */
function partsOf(options: WorkerOptions): WorkerParts {
	return {
		service: createServiceClient(options),
		workDirectory: createWorkDirectory({
			directory: options.workDirectory,
			keptBytes: options.keptBytes ?? 4 * 1024 ** 3,
		}),
		tools: options.tracer === undefined ? options.tools : { ...options.tools, tracer: options.tracer },
		transcriber: options.transcriber,
		logger: options.logger,
		tracer: options.tracer,
		wait: options.sleep ?? sleep,
		jobs: new Set(),
		onJobEnded: options.onJobEnded,
		heartbeatMilliseconds: (options.heartbeatSeconds ?? 30) * 1000,
		idleMilliseconds: (options.idleSeconds ?? 30) * 1000,
		maxSeconds: options.maxEncodeSeconds ?? 4 * 3600,
		cores: Math.max(1, Math.floor(availableParallelism() / (options.concurrency ?? 1))),
		chunkWorkers: options.chunkWorkers ?? 8,
		keepChunks: options.keepChunks ?? "after-loss",
	};
}
