import type { Chunks, Job } from "@reelmill/contracts";
import type { ChunkWorkers, OfferedChunks } from "@reelmill/media";
import { sumOf } from "./finished-work.ts";
import type { InternalPlane } from "./internal-plane.ts";
import type { Lease } from "./lease.ts";
import { isLockLost, persist, type Sleep } from "./retry.ts";
import { download } from "./source.ts";

type Options = {
	readonly plane: Pick<InternalPlane, "offerChunks" | "nextChunk" | "part">;
	readonly job: Job;
	readonly lease: Lease;
	/** How many other workers may help. */
	readonly most: number;
	readonly wait: Sleep;
	readonly idleMilliseconds: number;
};

const pauseMilliseconds = 1000;
/** A lost lock is found by the next heartbeat, which comes at once when there is news. */
const leaseMilliseconds = 10_000;

/**
 * Other workers' help with a video's job, over the internal plane; undefined where nobody waits for work, or none is
 * wanted.
 */
export function openChunkWorkers({
	plane,
	job,
	lease,
	most,
	wait,
	idleMilliseconds,
}: Options): ChunkWorkers | undefined {
	// A server of a version before this one doesn't say.
	const count = Math.min(most, job.idle_workers ?? 0);
	if (count < 1 || job.kind !== "video") return undefined;

	/** Where the lock is lost the job is dropped: nothing is to be encoded instead. */
	const whileHeld = async <T>(signal: AbortSignal, request: () => Promise<T>): Promise<T> => {
		try {
			return await persist(request, { signal, wait });
		} catch (error) {
			if (isLockLost(error)) {
				lease.report(0);
				await wait(leaseMilliseconds, signal);
			}
			throw error;
		}
	};
	const offeredBy = (ids: readonly string[]): OfferedChunks => {
		let latest: Chunks["data"] = [];
		return {
			async look(take, signal) {
				const { taken, data } = await whileHeld(signal, () => plane.nextChunk(job, take, signal));
				latest = data;
				const chunks = data.map(({ state, progress }) => ({ isDone: state === "done", share: progress / 100 }));
				return { taken: taken === null ? null : ids.indexOf(taken), chunks };
			},
			async fetch(index, path, signal) {
				for (const { path: file, size, sha256 } of latest[index]?.files ?? []) {
					const target = path(file);
					const request = (from: number, cut: AbortSignal) =>
						plane.part(job, { chunk: ids[index] as string, path: file }, from, cut);
					await download({ request, size, path: target, signal, wait, idleMilliseconds });
					if ((await sumOf(target)) !== sha256) throw new Error(`${file} is not what its worker made.`);
				}
			},
			pause: (signal) => wait(pauseMilliseconds, signal),
		};
	};
	return {
		count,
		async offer(chunks, digest, signal) {
			const offers = chunks.map(({ first, end }) => ({ first_frame: first, end_frame: end, digest, speed: job.speed }));
			const ids = await whileHeld(signal, () => plane.offerChunks(job, offers, signal));
			if (ids.length !== chunks.length)
				throw new Error(`${ids.length} of ${chunks.length} chunks were made of the offer.`);
			return offeredBy(ids);
		},
	};
}
