import { join } from "node:path";
import type { CompleteRequest, Job } from "@reelmill/contracts";
import type { Logger, Tools, Tracer, Transcriber } from "@reelmill/media";
import type { Sleep } from "../retry.ts";
import type { ServiceClient } from "../service-client/service-client.ts";
import { download } from "../transfer/download.ts";
import type { WorkDirectory } from "../work-directory/work-directory.ts";
import type { EndedJob } from "./ended-job.ts";
import type { JobLock } from "./lock.ts";

/** What all jobs of a worker share. */
export type WorkerParts = {
	readonly service: ServiceClient;
	readonly workDirectory: WorkDirectory;
	readonly tools: Tools;
	readonly transcriber: Transcriber | undefined;
	readonly logger: Logger;
	/** Undefined if nothing is traced. */
	readonly tracer: Tracer | undefined;
	readonly wait: Sleep;
	readonly jobs: RunningJobs;
	readonly onJobEnded: ((ended: EndedJob) => void) | undefined;
	readonly heartbeatMilliseconds: number;
	readonly idleMilliseconds: number;
	/** The time that one encode may take. */
	readonly maxSeconds: number;
	/** The machine's processors for one job. */
	readonly cores: number;
	/** The number of workers that may share one video, with this one. */
	readonly chunkWorkers: number;
	/** When a job stores each chunk of its source as soon as it is made. */
	readonly keepChunks: "after-loss" | "always";
};

/** The jobs that run at this moment. */
export type RunningJobs = Set<Job>;

/** One attempt at a job. Each step of the job gets the whole of it. */
export type Attempt = WorkerParts & {
	readonly job: Job;
	/** The job's own folder. */
	readonly folder: string;
	/** The folder of the outputs, in the job's folder. */
	readonly outputs: string;
	readonly lock: JobLock;
	/** Aborts when the work must be dropped: the lock is lost, or the worker stops. */
	readonly signal: AbortSignal;
};

/** What an attempt declares about a job that it has done. */
export type Completion = Omit<CompleteRequest, "lock">;

/** Returns whether a failure of this attempt fails the video. A server of an earlier version gives three attempts. */
export const isLastAttempt = ({ attempt, last_attempt }: Job): boolean => last_attempt ?? attempt >= 3;

/** After so many lost attempts a video goes without what it can do without, rather than to another worker. */
const mostLosses = 3;
/** Returns whether the job may go to another worker for the sake of its transcript or its outro. */
export const mayMoveOn = ({ losses = 0 }: Job): boolean => losses < mostLosses;

/** Fetches the job's source into the job's folder, and returns its path. */
export async function fetchSource(attempt: Attempt): Promise<string> {
	const { service, job, folder } = attempt;
	const path = join(folder, "source");
	const request = (from: number, signal: AbortSignal) => service.source(job, from, signal);
	await download({ request, size: job.source.file_size, path }, attempt);
	return path;
}
