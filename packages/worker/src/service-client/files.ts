import { ConnectionError, isReelmillError } from "@reelmill/client";
import type { Job, OutputFile } from "@reelmill/contracts";
import { askBucket, type BucketFetches, BucketUnreachableError, fetchForOwner, UnguardedError } from "./bucket.ts";
import { callFor, isRedirect, namedBy, type Session } from "./session.ts";

/** The place of one output in a bucket. */
export type OutputTarget = {
	readonly path: string;
	/**
	 * Stores the bytes, whose number must be the announced size. Stores all of them, or rejects; then the bucket holds
	 * nothing, or what an earlier put stored.
	 */
	put(bytes: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<void>;
};

/** A file of a finished chunk. */
export type ChunkFile = { readonly chunk: string; readonly path: string };

/** The operations that move files. A bucket gets no credentials of the worker. */
export type FileTransfers = {
	/**
	 * Requests the source from byte `from` on, or with `part` the pinned outro's mezzanine. Follows a redirect to a
	 * bucket. Returns any answer with a status below 300, its body unread.
	 *
	 * @throws {UnguardedError} when the source is in a tenant's bucket and there is no `fetchFromTenants`.
	 */
	source(job: Job, from: number, signal: AbortSignal, part?: "outro"): Promise<Response>;
	/**
	 * Requests the source, or the file at `path` of the video that a clip is cut of, from byte `from` on up to `end`, as
	 * `source` does. A server may answer with more than was asked for.
	 */
	sourceRange(
		job: Job,
		range: { readonly from: number; readonly end: number },
		signal: AbortSignal,
		path?: string,
	): Promise<Response>;
	/** Requests a file of a finished chunk, as `source` requests the source. */
	chunkFile(job: Job, file: ChunkFile, from: number, signal: AbortSignal): Promise<Response>;
	/**
	 * Returns where in a bucket the files may be put during the next minutes; null if the outputs must go to the server
	 * as an archive.
	 */
	outputTargets(job: Job, files: readonly OutputFile[], signal: AbortSignal): Promise<OutputTarget[] | null>;
	/** Sends an archive to the server: the outputs, or with `part` the files that are playable before the job is done. */
	putArchive(job: Job, archive: ReadableStream<Uint8Array>, signal: AbortSignal, part?: "playable"): Promise<void>;
};

export function createFileTransfers(session: Session, fetches: BucketFetches): FileTransfers {
	const { client, withFreshToken, stream } = session;
	const fetchFile = async (
		job: Job,
		path: string,
		from: number,
		signal: AbortSignal,
		last: number | "" = "",
	): Promise<Response> => {
		const isWhole = from === 0 && last === "";
		const init: RequestInit = { method: "GET", headers: isWhole ? {} : { range: `bytes=${from}-${last}` }, signal };
		const headers = { ...init.headers, ...namedBy(job) };
		const response = await withFreshToken(() => stream(path, { ...init, headers, redirect: "manual" }));
		if (!isRedirect(response)) return response;
		await response.body?.cancel();
		const owner = response.headers.get("reelmill-storage-owner");
		const fetchFromBucket = fetchForOwner(owner, fetches);
		if (fetchFromBucket === undefined)
			throw new UnguardedError(
				"The source is in a tenant's bucket, and this worker was made without fetchFromTenants.",
			);
		const address = response.headers.get("location") ?? "";
		return askBucket(fetchFromBucket, address, init).catch((cause: unknown) => {
			if (owner !== "platform" || !(cause instanceof ConnectionError)) throw cause;
			throw new BucketUnreachableError(new URL(address).origin, { cause });
		});
	};
	return {
		source: (job, from, signal, part) =>
			fetchFile(job, `/internal/v1/jobs/${job.id}/source${part === undefined ? "" : `?part=${part}`}`, from, signal),
		sourceRange(job, { from, end }, signal, path) {
			const query = path === undefined ? "" : `?${new URLSearchParams({ path })}`;
			return fetchFile(job, `/internal/v1/jobs/${job.id}/source${query}`, from, signal, end - 1);
		},
		chunkFile: (job, { chunk, path }, from, signal) =>
			fetchFile(job, `/internal/v1/jobs/${chunk}/parts?${new URLSearchParams({ lock: job.lock, path })}`, from, signal),
		async outputTargets(job, files, signal) {
			const { id, lock } = job;
			const body = { lock, files: [...files] };
			const { data, storage_owner } = await withFreshToken(() =>
				client.call("presignJobOutputs", { params: { id }, body }, callFor(job, signal)),
			).catch((error: unknown) => {
				// A server of an earlier version has no such operation.
				if (isReelmillError(error, "not_found")) return { data: null, storage_owner: null };
				throw error;
			});
			const fetchFromBucket = fetchForOwner(storage_owner, fetches);
			if (fetchFromBucket === undefined || data === null) return null;
			const sizes = new Map(files.map(({ path, size }) => [path, size]));
			return data.map(({ path, url, headers }) => ({
				path,
				async put(bytes, putSignal) {
					const init: RequestInit & { duplex: "half" } = {
						method: "PUT",
						headers: { ...headers, "content-length": String(sizes.get(path)) },
						body: bytes,
						duplex: "half",
						redirect: "error",
						signal: putSignal,
					};
					const response = await askBucket(fetchFromBucket, url, init);
					await response.body?.cancel();
				},
			}));
		},
		async putArchive(job, archive, signal, part) {
			const { id, lock } = job;
			const headers = { "content-type": "application/zip", ...namedBy(job) };
			const path = `/internal/v1/jobs/${id}/outputs?lock=${lock}${part === undefined ? "" : `&part=${part}`}`;
			const response = await stream(path, { method: "PUT", headers, body: archive, duplex: "half", signal });
			await response.body?.cancel();
		},
	};
}
