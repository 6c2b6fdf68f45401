import type { ConfinementPart, Logger, Tools, Tracer, Transcriber } from "@reelmill/media";
import type { EndsAfter, WorkerEnd } from "./bounds.ts";
import type { EndedJob } from "./job/ended-job.ts";
import type { Sleep } from "./retry.ts";
import type { TokenSource } from "./service-client/tokens.ts";

/**
 * A worker gets its tokens from the server in exchange for its service account's `secret`. A worker in the server's own
 * process takes `issueToken` instead, which `engine.accounts.ensure` returns: it asks for no token over the network, so
 * the limit of requests for tokens from its address can't stop it.
 */
export type WorkerOptions = TokenSource & {
	/** The service's address, for example `https://video.example.com`. */
	readonly apiUrl: string;
	/** The service account's name. */
	readonly name: string;
	/**
	 * What this worker is called in the server's lists and logs, among those of the same account (default: `name`). Give
	 * each machine of a fleet another one, such as its host's name.
	 */
	readonly worker?: string;
	/** The folder for sources and outputs of running jobs. It is made if it is missing, and workers may share it. */
	readonly workDirectory: string;
	/**
	 * How many bytes of finished outputs the work directory keeps if they could not be sent, so that the next attempt
	 * here need not encode again (default: 4 GiB). They are kept for a day at most; 0 keeps none.
	 */
	readonly keptBytes?: number;
	/**
	 * How many bytes the work directory must have free for a worker that looks at itself, which it does after two faults
	 * of its own in a row (default: 1 GiB). A tenth of the disk suffices if that is less. With less it claims no jobs.
	 */
	readonly leastFreeBytes?: number;
	/**
	 * A folder in which the workers of one machine share their token, so that they need one for all of them, and a
	 * restart needs none (default: none; the worker keeps its token in memory). Only this user can read the token's file.
	 */
	readonly tokenDirectory?: string | undefined;
	/** How many jobs run at the same time (default: 1). One ffmpeg keeps all processors busy. */
	readonly concurrency?: number;
	/**
	 * The programs. With `confinement: "required"` the worker claims no job if ffmpeg can't be fully confined. With
	 * another value it then takes no job of the sandbox, whose videos strangers upload, unless the value is `off`.
	 */
	readonly tools: Tools;
	/** Called when the worker starts, with the parts of ffmpeg's confinement that are missing. */
	readonly onConfinement?: (missing: readonly ConfinementPart[]) => void;
	/** Called when an attempt at a job has ended, for an operator's metrics. */
	readonly onJobEnded?: (ended: EndedJob) => void;
	/**
	 * When the worker ends by itself (default: it runs until `stop`). One that does looks at itself before its first job,
	 * ends at its first fault of its own, and with `idleSeconds` ends as well if the server refuses it, or doesn't answer
	 * its claims for a minute, or for `idleSeconds` if that is longer.
	 */
	readonly endsAfter?: EndsAfter;
	/**
	 * Called when the worker has ended, by itself or by `stop`: when no job, no request and no child program is left.
	 */
	readonly onEnded?: (end: WorkerEnd) => void;
	readonly logger: Logger;
	/**
	 * Records jobs, their requests and their programs as spans of the trace that the server names with the job (default:
	 * nothing is traced). `createTracer` of `@reelmill/opentelemetry` returns one.
	 */
	readonly tracer?: Tracer;
	/** Reaches the service and the platform's buckets (default: the global `fetch`). */
	readonly fetch?: typeof fetch;
	/**
	 * Reaches tenants' buckets. A tenant can name any address, so give a guarded one, such as `createGuardedFetch` of
	 * `@reelmill/outbound` returns. Default: none; then jobs with a source in such a bucket are given back, and outputs
	 * go through the server.
	 */
	readonly fetchFromTenants?: typeof fetch;
	/** Waits between attempts (default: a timer). */
	readonly sleep?: Sleep;
	/** The longest time between two heartbeats (default: 30); a third of the lock's rest if that is less. */
	readonly heartbeatSeconds?: number;
	/** How long a claim is held open while no job waits, 0 to 30 (default: 20). */
	readonly claimWaitSeconds?: number;
	/** How long `stop` lets a running job go on (default: 10). */
	readonly graceSeconds?: number;
	/** A source that brings no byte for so long is requested again (default: 30). */
	readonly idleSeconds?: number;
	/** The time that one encode may take (default: 14,400, which is 4 hours). */
	readonly maxEncodeSeconds?: number;
	/**
	 * How many workers may share one video, with this one, if others on other machines wait for jobs (default: 8). With 1
	 * this worker neither offers chunks nor takes other workers' chunks.
	 */
	readonly chunkWorkers?: number;
	/**
	 * When a source of 40 s or more is cut although nobody shares it, and each chunk stored once it is made, so that
	 * whoever does the job next goes on from there: if the job lost a worker before, or in any case, for machines that may
	 * be taken away (default: "after-loss"). It needs a `chunkWorkers` of more than 1.
	 */
	readonly keepChunks?: "after-loss" | "always";
	/**
	 * A name for the processors that this worker uses; workers with the same name don't share a video (default: a name of
	 * this machine and of the processors that this process may use).
	 */
	readonly machine?: string;
	/**
	 * Makes transcripts: of jobs that want one, and of available videos if the operator asks for it. Default: none; then
	 * a transcript that a job wants is `unavailable`.
	 */
	readonly transcriber?: Transcriber | undefined;
};
