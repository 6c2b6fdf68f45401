import type { Chunks, Job } from "@reelmill/contracts";
import type { ChunkWorkers, OfferedChunks } from "@reelmill/media";
import { isLockLost, persist } from "../retry.ts";
import { sha256Of } from "../sha256-of.ts";
import { download } from "../transfer/download.ts";
import type { Attempt } from "./attempt.ts";

const pauseMilliseconds = 1000;
/** How long a lost lock may take to show: the next heartbeat finds it, and one is sent soon when there is news. */
const lostLockMilliseconds = 10_000;

/**
 * Returns the other workers that may encode chunks of a video's job, or have done so in an earlier attempt; undefined
 * if there are none, or the job is to be done by this worker alone.
 */
export function openChunkWorkers(attempt: Attempt): ChunkWorkers | undefined {
	const { service, job, lock, wait } = attempt;
	const count = Math.min(attempt.chunkWorkers - 1, Math.max(idleWorkersOf(job), (job.cut ?? 1) - 1));
	if (count < 1 || job.kind !== "video") return undefined;

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
			pause: (signal) => wait(pauseMilliseconds, signal),
		};
	};
	return {
		count,
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
