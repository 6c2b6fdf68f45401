import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import type { Stores } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import type { VideoStore } from "../../videos/index.ts";
import { heldBy } from "../attempts/held-job.ts";
import type { Jobs, VideoJobs } from "../job-operations.ts";
import { mostEntriesOfChunk } from "../outputs/most-entries.ts";
import { presignOutputs } from "../outputs/output-urls.ts";
import { storedFile } from "../sources/job-source.ts";
import type { ChunkJobs } from "./chunk-jobs.ts";
import type { ChunkOffers } from "./chunk-offers.ts";

/** Adds chunks to the jobs of videos. A worker calls the same functions with a chunk's id as with a video's. */
export function withChunks(
	{ clock }: Parts,
	jobs: VideoJobs,
	{
		store,
		stores,
		chunks,
		chunkOffers,
		onOffered,
	}: {
		store: VideoStore;
		stores: Stores;
		chunks: ChunkJobs;
		chunkOffers: ChunkOffers;
		/** Called after chunks were offered. */
		onOffered: () => void;
	},
): Jobs {
	/** Tries the id of no video as a chunk's. */
	const orChunk = async <T, C>(ofVideo: () => Promise<T>, ofChunk: () => Promise<C>): Promise<T | C> => {
		try {
			return await ofVideo();
		} catch (error) {
			if (!isReelmillError(error, "video_not_found")) throw error;
			return ofChunk();
		}
	};
	return {
		...jobs,
		heartbeat: (id, input) =>
			orChunk(
				() => jobs.heartbeat(id, input),
				async () => ({ lock_expires_at: (await chunks.heartbeat(id, input.lock, input.progress)).toISOString() }),
			),
		source: (id, path) =>
			orChunk(
				() => jobs.source(id, path),
				async () => jobs.source((await chunks.find(id))?.video_id ?? id),
			),
		mostEntries: (id, lock) =>
			orChunk(
				() => jobs.mostEntries(id, lock),
				async () => {
					const video = await store.find((await chunks.held(id, lock)).video_id);
					if (video === null) throw new ReelmillError("video_not_found");
					return mostEntriesOfChunk(video);
				},
			),
		replaceOutputs: async (id, lock, entries, part = "whole") => {
			// The id is looked up first: entries can be read only once.
			if (part === "whole" && (await store.find(id)) === null) return chunks.replaceOutputs(id, lock, entries);
			return jobs.replaceOutputs(id, lock, entries, part);
		},
		outputUrls: (id, input, mostBytes) =>
			orChunk(
				() => jobs.outputUrls(id, input, mostBytes),
				async () => {
					const { stored, prefix } = await chunks.place(id, input.lock);
					return presignOutputs(stored, { prefix, files: input.files, mostBytes, clock });
				},
			),
		complete: (id, request) =>
			orChunk(
				() => jobs.complete(id, request),
				async () => {
					await chunks.complete(id, request);
					return { id, state: "done" as const };
				},
			),
		fail: (id, request) =>
			orChunk(
				() => jobs.fail(id, request),
				async () => ({ id, state: await chunks.fail(id, request.lock, request.retryable) }),
			),
		async offerChunks(id, { lock, chunks: offered }) {
			const data = await chunkOffers.offer(heldBy(lock, await store.find(id)), lock, offered);
			onOffered();
			return { data };
		},
		async nextChunk(id, { lock, take }) {
			heldBy(lock, await store.find(id));
			return chunkOffers.next(id, lock, take);
		},
		async part(id, { lock, path }) {
			const chunk = await chunks.find(id);
			if (chunk === null) throw new ReelmillError("video_not_found");
			if (chunk.parent_lock !== lock) throw new ReelmillError("not_lock_holder");
			const file = chunk.files?.find((candidate) => candidate.path === path);
			if (chunk.prefix === null || file === undefined) throw new ReelmillError("file_not_found");
			return storedFile(await stores.of(chunk.storage_profile_id), {
				key: chunk.prefix + path,
				size: file.size,
				contentType: "video/mp4",
			});
		},
	};
}
