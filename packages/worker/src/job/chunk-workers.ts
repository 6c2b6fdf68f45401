import { link, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Chunks, Job } from "@reelmill/contracts";
import type { ChunkWorkers, KeptChunk, OfferedChunks } from "@reelmill/media";
import { isLockLost, persist } from "../retry.ts";
import { sha256Of } from "../sha256-of.ts";
import { download } from "../transfer/download.ts";
import type { Attempt } from "./attempt.ts";
import { sendChunk } from "./chunk-job.ts";

const pauseMilliseconds = 1000;
/** How long a lost lock may take to show: the next heartbeat finds it, and one is sent soon when there is news. */
const lostLockMilliseconds = 10_000;

/**
 * Returns the other workers that may encode chunks of a video's job, or have done so in an earlier attempt; undefined
 * if there are none, or the job is to be done by this worker alone. A job that lost a worker before is cut in any case,
 * as is any if the worker is told so: what this worker finishes of it is stored, so that the next loss costs a chunk at
 * most.
 */
export function openChunkWorkers(attempt: Attempt): ChunkWorkers | undefined {
	const { service, job, lock, wait } = attempt;
	const count = Math.min(attempt.chunkWorkers - 1, Math.max(idleWorkersOf(job), (job.cut ?? 1) - 1));
	const mayBeLost = attempt.keepChunks === "always" || (job.losses ?? 0) > 0;
	const keepsChunks = mayBeLost && attempt.chunkWorkers > 1;
	if ((count < 1 && !keepsChunks) || job.kind !== "video") return undefined;

	/** A lost lock ends the whole attempt: wait for that, so that this worker doesn't encode the chunk itself. */
	const whileHeld = async <T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> => {
		try {
			return await persist(request, { signal, wait });
		} catch (error) {
			if (isLockLost(error)) {
				lock.report(0);
				await wait(lostLockMilliseconds, signal);
			}
			throw error;
		}
	};
	const offered = (ids: readonly string[]): OfferedChunks => {
		let latest: Chunks["data"] = [];
		return {
			async look(take, signal) {
				const { taken, data } = await whileHeld(signal, () => service.nextChunk(job, take, signal));
				latest = data;
				const chunks = data.map(({ state, progress }) => ({ isDone: state === "done", share: progress / 100 }));
				return { taken: taken === null ? null : ids.indexOf(taken), chunks };
			},
			async fetch(index, pathOf, signal) {
				const chunk = ids[index] as string;
				for (const { path, size, sha256 } of latest[index]?.files ?? []) {
					const target = pathOf(path);
					const request = (from: number, signal: AbortSignal) => service.chunkFile(job, { chunk, path }, from, signal);
					await download({ request, size, path: target }, { ...attempt, signal });
					if ((await sha256Of(target)) !== sha256) throw new Error(`${path} is not what its worker made.`);
				}
			},
			...(keepsChunks && {
				keep: (index, chunk, signal) => keepChunk(ids[index] as string, chunk, { ...attempt, signal }),
			}),
			pause: (signal) => wait(pauseMilliseconds, signal),
		};
	};
	return {
		count,
		keepsChunks,
		async offer(chunks, digest, signal) {
			const offers = chunks.map(({ first, end }) => ({ first_frame: first, end_frame: end, digest, speed: job.speed }));
			const ids = await whileHeld(signal, () => service.offerChunks(job, offers, signal));
			if (ids.length !== chunks.length)
				throw new Error(`${ids.length} of ${chunks.length} chunks were made of the offer.`);
			return offered(ids);
		},
	};
}

/** A server of an earlier version doesn't tell the number. */
const idleWorkersOf = (job: Job): number => job.idle_workers ?? 0;

/**
 * Stores a chunk that this worker took and made, with the lock of the video. That it can't be stored doesn't hold up
 * the job; a lost lock is found by the heartbeats.
 */
async function keepChunk(id: string, { files, media }: KeptChunk, attempt: Attempt): Promise<void> {
	const { service, job, folder, signal, wait, logger } = attempt;
	const outputs = join(folder, `kept-${id}`);
	try {
		await mkdir(outputs);
		for (const { name, path } of files) await link(path, join(outputs, name));
		const chunk: Job = { ...job, id, kind: "chunk" };
		const names = files.map(({ name }) => name);
		const completion = await sendChunk({ files: names, media }, { ...attempt, job: chunk, outputs });
		await persist(() => service.complete(chunk, completion, signal), { signal, wait });
	} catch (error) {
		signal.throwIfAborted();
		logger.warn({ job: job.id, chunk: id, cause: String(error) }, "a finished chunk could not be kept");
	} finally {
		await rm(outputs, { recursive: true, force: true });
	}
}
