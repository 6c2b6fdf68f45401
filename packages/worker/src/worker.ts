import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { isReelmillError } from "@reelmill/client";
import { type ConfinementPart, checkConfinement, type Logger, type Tools, type Transcriber } from "@reelmill/media";
import { createInternalPlane, type TokenSource } from "./internal-plane.ts";
import { runJob } from "./job.ts";
import { thisMachine } from "./machine.ts";
import { backoff, type Sleep, sleep } from "./retry.ts";
import { createWorkDirectory } from "./work-directory.ts";

/** A refused account is not let in sooner for being asked more often, and tokens are rate-limited. */
const refusedMilliseconds = 60_000;
/** What a killed process left, and nobody has touched for five minutes, is gone within ten, also where no job comes. */
const tidyMilliseconds = 240_000;
const isRefusal = (error: unknown): boolean => isReelmillError(error) && [401, 403, 429].includes(error.status);

/**
 * A worker has its service account's `secret`, which it changes for tokens at the server. One in the server's own
 * process has `issueToken` in place of it: what `engine.accounts.ensure` gives. Such a worker asks for no token over
 * the network, where others may have used up what its address may ask for.
 */
export type WorkerOptions = TokenSource & {
	/** Where the service is, for example `https://video.example.com`. */
	readonly apiUrl: string;
	/** The service account's name, which also names the worker in the server's logs. */
	readonly name: string;
	/** Sources and outputs of running jobs; made if missing. May be shared by workers. */
	readonly workDirectory: string;
	/**
	 * Finished outputs of jobs that could not be delivered are kept in the work directory for a day and up to so many
	 * bytes together, so that the next attempt here need not encode again; 4 GiB unless told, 0 keeps none.
	 */
	readonly keptBytes?: number;
	/** Jobs at once; 1 unless told. One ffmpeg keeps all cores busy. */
	readonly concurrency?: number;
	/**
	 * With `confinement: "required"` no job is claimed where ffmpeg can't be confined wholly. Otherwise such a worker is
	 * given no job of the sandbox, which strangers fill, unless it says `off`.
	 */
	readonly tools: Tools;
	/** Called when the worker starts, with what is missing of ffmpeg's confinement. */
	readonly onConfinement?: (missing: readonly ConfinementPart[]) => void;
	readonly logger: Logger;
	readonly fetch?: typeof fetch;
	/**
	 * Follows the addresses that tenants' buckets have; such a tenant may have named any address at all, so give one that
	 * is guarded, such as `createGuardedFetch` of `@reelmill/outbound` makes. Unless told, none is followed: jobs whose
	 * source is there are given back, and outputs go through the server.
	 */
	readonly fetchFromTenants?: typeof fetch;
	readonly sleep?: Sleep;
	/**
	 * At most so long from one heartbeat to the next; 30 unless told. A third of what is left of the lock where that is
	 * less.
	 */
	readonly heartbeatSeconds?: number;
	/** How long a claim is held open while no job waits, 0 to 30; 20 unless told. */
	readonly claimWaitSeconds?: number;
	/** How long `stop` lets a running job go on; 10 unless told. */
	readonly graceSeconds?: number;
	/** A source that brings no byte for so long is asked for again; 30 unless told. */
	readonly idleSeconds?: number;
	/** Wall clock that one encode may take; 4 hours unless told. */
	readonly maxEncodeSeconds?: number;
	/**
	 * Workers that one video may be spread over, this one included, where others on other machines wait for work; 8
	 * unless told. 1 for none: then this worker takes no other one's chunks either.
	 */
	readonly chunkWorkers?: number;
	/**
	 * The same for all workers that share processors, which are then no help to each other; unless told it is this
	 * machine, and on it the processors that this process may use.
	 */
	readonly machine?: string;
	/**
	 * Writes down what is said where a job wants it, and of videos that are available already where the operator asks for
	 * it; without one, such a transcript is `unavailable`.
	 */
	readonly transcriber?: Transcriber | undefined;
};

export type Worker = {
	/**
	 * Begins to claim jobs; returns at once. A second call while running does nothing. A server that can't be reached is
	 * tried again until it can.
	 */
	start(): void;
	/**
	 * Claims no more; resolves when no job, no request and no child program is left. Jobs that outlast the grace are
	 * aborted and given back for another attempt. Twice, or without a start: resolves likewise.
	 */
	stop(): Promise<void>;
};

/**
 * A worker that claims jobs over the internal plane and does them, one after the other or several at once. It opens
 * nothing until `start()`.
 */
export function createWorker(options: WorkerOptions): Worker {
	const { name, tools, logger, concurrency = 1, claimWaitSeconds = 20, graceSeconds = 10, chunkWorkers = 8 } = options;
	const workDirectory = createWorkDirectory({
		directory: options.workDirectory,
		keptBytes: options.keptBytes ?? 4 * 1024 ** 3,
	});
	const wait = options.sleep ?? sleep;
	const { fetch, fetchFromTenants } = options;
	const plane = createInternalPlane({
		apiUrl: options.apiUrl,
		name,
		...("issueToken" in options ? { issueToken: options.issueToken } : { secret: options.secret }),
		...(fetch && { fetch }),
		...(fetchFromTenants && { fetchFromTenants }),
	});
	let running:
		| {
				readonly stopping: AbortController;
				readonly dropping: AbortController;
				readonly loops: Promise<unknown>;
				readonly tidying: NodeJS.Timeout;
		  }
		| undefined;
	let trouble: string | null = null;
	let takesSandbox = true;

	/** Says a change once, however many tries and loops see it. */
	const noteTrouble = (error: unknown) => {
		const now = error === null ? null : error instanceof Error ? error.message : String(error);
		if (now === trouble) return;
		if (now !== null) logger.warn({ cause: now }, "jobs can't be claimed; trying again");
		else logger.info({}, "jobs can be claimed again");
		trouble = now;
	};
	const loop = async (stopping: AbortSignal, dropping: AbortSignal) => {
		const context = {
			...{ plane, workDirectory, tools, logger, wait, signal: dropping, transcriber: options.transcriber },
			heartbeatMilliseconds: (options.heartbeatSeconds ?? 30) * 1000,
			idleMilliseconds: (options.idleSeconds ?? 30) * 1000,
			maxSeconds: options.maxEncodeSeconds ?? 4 * 3600,
			chunkWorkers,
			cores: Math.max(1, Math.floor(availableParallelism() / concurrency)),
		};
		const claim = {
			waitSeconds: claimWaitSeconds,
			takesChunks: chunkWorkers > 1,
			takesTranscripts: options.transcriber !== undefined,
			takesSandbox,
			machine: options.machine ?? (await thisMachine()),
		};
		for (let failures = 0; !stopping.aborted; ) {
			const started = performance.now();
			try {
				const job = await plane.claim(name, claim, stopping);
				failures = 0;
				noteTrouble(null);
				if (job !== null) {
					logger.info(
						{ job: job.id, kind: job.kind, attempt: job.attempt, bytes: job.source.file_size },
						"job claimed",
					);
					await runJob(job, context);
				} else if (performance.now() - started < 500) await wait(1000, stopping);
			} catch (error) {
				if (stopping.aborted) return;
				failures += 1;
				noteTrouble(error);
				await wait(isRefusal(error) ? refusedMilliseconds : backoff(failures), stopping);
			}
		}
	};
	/**
	 * Whether jobs of the sandbox are for this worker. Rejects where all of the confinement is required, and a part is
	 * missing.
	 */
	const isForSandbox = async (stopping: AbortSignal): Promise<boolean> => {
		try {
			const missing = await checkConfinement(tools, { logger, signal: stopping });
			options.onConfinement?.(missing);
			return tools.confinement === "off" || missing.length === 0;
		} catch (error) {
			if (tools.confinement === "required" || stopping.aborted) throw error;
			// What is finished can be delivered without ffmpeg.
			logger.warn({ cause: String(error) }, "it can't be found out whether ffmpeg is confined here");
			return tools.confinement === "off";
		}
	};
	const prepare = async (stopping: AbortSignal) => {
		for (let failures = 0; !stopping.aborted; ) {
			try {
				await mkdir(options.workDirectory, { recursive: true });
				takesSandbox = await isForSandbox(stopping);
				return await workDirectory.tidy();
			} catch (error) {
				if (stopping.aborted) return;
				failures += 1;
				noteTrouble(error);
				await wait(backoff(failures), stopping);
			}
		}
	};
	return {
		start() {
			if (running !== undefined) return;
			const stopping = new AbortController();
			const dropping = new AbortController();
			const loops = prepare(stopping.signal).then(() =>
				Promise.all(Array.from({ length: concurrency }, () => loop(stopping.signal, dropping.signal))),
			);
			const tidy = () =>
				workDirectory
					.tidy()
					.catch((error: unknown) => logger.warn({ cause: String(error) }, "the work directory could not be tidied"));
			running = { stopping, dropping, loops, tidying: setInterval(() => void tidy(), tidyMilliseconds).unref() };
		},
		async stop() {
			if (running === undefined) return;
			const { stopping, dropping, loops, tidying } = running;
			clearInterval(tidying);
			stopping.abort(new Error("The worker is stopping."));
			const over = new AbortController();
			const grace = wait(graceSeconds * 1000, over.signal).then(() =>
				dropping.abort(new Error("The worker was stopped.")),
			);
			await loops;
			over.abort();
			await grace;
			running = undefined;
		},
	};
}
