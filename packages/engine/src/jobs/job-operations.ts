import type {
	Chunks,
	CompleteRequest,
	FailRequest,
	HeartbeatRequest,
	Job,
	NextChunkRequest,
	OfferChunksRequest,
	OutputUrls,
	OutputUrlsRequest,
	VideoState,
	WorkerFault,
} from "@reelmill/contracts";
import type { ServicePrincipal } from "../accounts/index.ts";
import type { Bytes } from "../ports/index.ts";
import type { JobSource } from "./sources/job-source.ts";

export type Probed = {
	readonly duration_seconds?: number | undefined;
	readonly width: number;
	readonly height: number;
};
/** How far a worker has come, in percent, with the job and with each encode. */
export type HeartbeatInput = Pick<HeartbeatRequest, "lock" | "progress" | "encodes"> & {
	readonly probe?: Probed | undefined;
};

export type ClaimInput = {
	readonly worker: string;
	readonly wait_seconds: number;
	readonly takes_chunks?: boolean | undefined;
	readonly takes_transcripts?: boolean | undefined;
	readonly takes_clips?: boolean | undefined;
	readonly takes_posters?: boolean | undefined;
	readonly takes_sandbox?: boolean | undefined;
	readonly machine?: string | undefined;
	/** What is wrong with the worker itself. It then gets no job. */
	readonly fault?: WorkerFault | undefined;
};

/** The files of an archive, in its order. Their bytes can be read once; `release` may take back a chunk that was read. */
export type ArchiveEntries = AsyncIterable<{
	readonly path: string;
	readonly bytes: Bytes;
	readonly release?: (chunk: Uint8Array) => void;
}>;

/** What workers do with jobs of videos and outros. See {@link Jobs}. */
export type VideoJobs = {
	/**
	 * Locks the waiting job whose turn it is and returns it. Tenants take turns; each gets its oldest job. Returns null
	 * if no job came within `wait_seconds` (0 to 30), or if `signal` aborted. The operator's list of workers shows
	 * `address` (default: null, unknown).
	 */
	claim(
		principal: ServicePrincipal,
		input: ClaimInput,
		signal?: AbortSignal,
		address?: string | null,
	): Promise<Job | null>;
	/**
	 * Locks this job and returns it.
	 *
	 * @throws {ReelmillError} `video_not_claimable` when the job doesn't wait, isn't for this worker, or went to another.
	 */
	claimById(
		principal: ServicePrincipal,
		id: string,
		input: Pick<ClaimInput, "worker" | "takes_clips" | "takes_sandbox">,
		address?: string | null,
	): Promise<Job>;
	/**
	 * Renews the lock. The first call moves the video to `encoding`. Progress never decreases, even in another attempt.
	 */
	heartbeat(id: string, input: HeartbeatInput): Promise<{ lock_expires_at: string }>;
	/**
	 * Returns the raw upload, or of a clip the file at `path` of the video that it is cut of, as that is now.
	 *
	 * @throws {ReelmillError} `file_not_found` when it was deleted, or `path` is missing or too much;
	 * `storage_backend_unsupported` when its storage gives neither bytes nor an address.
	 */
	source(id: string, path?: string | undefined): Promise<JobSource>;
	/**
	 * Returns the mezzanine of the outro that the video pinned.
	 *
	 * @throws {ReelmillError} `file_not_found` when the video pinned none or the bytes are gone; otherwise as `source`.
	 */
	outro(id: string): Promise<JobSource>;
	/**
	 * Returns how many entries, folders included, an archive of the attempt's outputs may have. The job's plan decides.
	 * The reader of an archive for `replaceOutputs` enforces this limit.
	 */
	mostEntries(id: string, lock: string): Promise<number>;
	/**
	 * Stores the attempt's outputs in place of those that it stored before. With `part: "playable"` it stores what can be
	 * played before the job is done, apart from the outputs and in place of what it stored as such before. That is served
	 * until the attempt ends, if the operator allows it.
	 *
	 * @throws {ReelmillError} `invalid_zip_entry` when a path isn't allowed; then nothing is replaced.
	 */
	replaceOutputs(id: string, lock: string, entries: ArchiveEntries, part?: "whole" | "playable"): Promise<void>;
	/**
	 * Returns URLs by which the worker may put these files of the attempt itself, good for some minutes. `data` is null
	 * if the storage can't presign. Calling it stores and replaces nothing.
	 *
	 * @throws {ReelmillError} `invalid_zip_entry` when a path isn't allowed; `zip_too_large` when the files together have
	 * more than `mostBytes`.
	 */
	outputUrls(id: string, input: OutputUrlsRequest, mostBytes: number): Promise<OutputUrls>;
	/**
	 * Makes the attempt's outputs the video's, in the statement that makes the video available.
	 *
	 * @throws {ReelmillError} `outputs_incomplete` with `missing` when files are missing, empty or of another size than
	 * declared, or when a playlist leads to a missing file; `validation_error` when a length or size is beyond the job's
	 * limits. The worker keeps the lock.
	 */
	complete(id: string, input: CompleteRequest): Promise<{ id: string; state: VideoState | "done" }>;
	/**
	 * Gives the job back for another attempt, or fails the video. If the worker says that it is at fault itself, another
	 * worker is given the job first, if one is there.
	 */
	fail(id: string, input: FailRequest): Promise<{ id: string; state: VideoState | "waiting" }>;
};

/** How the worker that has a video shares it with others. */
export type ChunkSharing = {
	/** Offers chunks of the video and returns their ids in order. A second call of an attempt returns the first ids. */
	offerChunks(id: string, input: OfferChunksRequest): Promise<{ data: string[] }>;
	/** Returns the state of the attempt's chunks. With `take`, it also gives the caller a free chunk if there is one. */
	nextChunk(id: string, input: NextChunkRequest): Promise<Chunks>;
	/**
	 * Returns a file of a finished chunk to the worker that has the video. `lock` is the video's.
	 *
	 * @throws {ReelmillError} `file_not_found` when there is no such file; otherwise as `source`.
	 */
	part(id: string, input: { readonly lock: string; readonly path: string }): Promise<JobSource>;
};

/**
 * The workers' side of the service. Every write is fenced by the job's lock. It fails with `video_not_found` for an
 * unknown id, `invalid_video_state` if nobody works on the job, and `not_lock_holder` if the lock isn't the current
 * one; then nothing is changed.
 *
 * Chunks are jobs as well, as long as the attempt lasts that offered them. So are transcripts
 * and posters of available videos.
 */
export type Jobs = VideoJobs & ChunkSharing;
