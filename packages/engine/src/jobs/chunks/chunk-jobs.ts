import { type CompleteRequest, isReelmillError, type OutputFile, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { OwnedStores, Stores } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import { chunksPrefix } from "../../videos/index.ts";
import type { ArchiveEntries } from "../job-operations.ts";
import { collectFiles } from "../outputs/outputs.ts";
import type { StoreArchive } from "../outputs/store-archive.ts";
import { chunkAttempts } from "./chunk-claims.ts";

/** A row of `reelmill.chunks`, with the storage profile of its video. */
export type ChunkRecord = {
	readonly id: string;
	readonly video_id: string;
	readonly domain_id: string;
	readonly parent_lock: string;
	readonly state: "waiting" | "locked" | "done" | "failed" | "taken";
	readonly attempt: number;
	readonly lock: string | null;
	readonly delivery: string | null;
	readonly prefix: string | null;
	readonly files: readonly OutputFile[] | null;
	readonly storage_profile_id: string | null;
};

/**
 * What workers do with jobs of chunks. A chunk has a lock of its own, or its video's if the video's worker took it. Its
 * row exists as long as the attempt lasts that offered it. Every write fails with `video_not_found` if there is no row,
 * `invalid_video_state` if nobody works on the chunk, and `not_lock_holder` for another lock; then nothing is changed.
 */
export type ChunkJobs = {
	find(id: string): Promise<ChunkRecord | null>;
	/** Returns the chunk if this lock is its current one. */
	held(id: string, lock: string): Promise<ChunkRecord>;
	/** Renews the lock and returns when it ends. */
	heartbeat(id: string, lock: string, progress: number): Promise<Date>;
	/** Stores an archive of the chunk's files in place of the one before. */
	replaceOutputs(id: string, lock: string, entries: ArchiveEntries): Promise<void>;
	/** Returns where the worker puts the chunk's files one by one. */
	place(id: string, lock: string): Promise<{ readonly stored: OwnedStores; readonly prefix: string }>;
	/**
	 * Makes the attempt's files the chunk's.
	 *
	 * @throws {ReelmillError} `outputs_incomplete`, as for a video.
	 */
	complete(id: string, request: CompleteRequest): Promise<void>;
	/** Lets the chunk wait again, or leaves it to the worker that has the video. */
	fail(id: string, lock: string, retryable: boolean): Promise<"waiting" | "failed">;
};

export function createChunkJobs(
	{ database, clock, random }: Parts,
	{
		stores,
		lockSeconds,
		storeArchive,
	}: {
		stores: Stores;
		lockSeconds: number;
		storeArchive: StoreArchive;
	},
): ChunkJobs {
	const find: ChunkJobs["find"] = async (id) => {
		const [row] = await database.query<ChunkRecord>(
			sql`select c.*, v.storage_profile_id from reelmill.chunks c join reelmill.videos v on v.id = c.video_id where c.id = ${id}`,
		);
		return row ?? null;
	};
	const held = async (id: string, lock: string): Promise<ChunkRecord> => {
		const chunk = await find(id);
		if (chunk === null) throw new ReelmillError("video_not_found");
		if (chunk.state !== "locked" && chunk.state !== "taken") throw new ReelmillError("invalid_video_state");
		if (chunk.lock !== lock) throw new ReelmillError("not_lock_holder");
		return chunk;
	};
	const isHeld = (id: string, lock: string) => sql`id = ${id} and lock = ${lock} and state in ('locked', 'taken')`;
	/** Throws the reason why nothing was written. */
	const refused = async (id: string, lock: string): Promise<never> => {
		await held(id, lock);
		throw new ReelmillError("not_lock_holder");
	};
	const prefixOf = (
		{ domain_id, video_id, parent_lock, id }: ChunkRecord,
		lock: string,
		archive: string | null,
	): string =>
		`${chunksPrefix(domain_id, video_id)}${parent_lock}/${id}/${lock}/${archive === null ? "" : `${archive}/`}`;

	const chunks: ChunkJobs = {
		find,
		held,
		async heartbeat(id, lock, progress) {
			const expiresAt = new Date(clock.now() + lockSeconds * 1000);
			const [row] = await database.query(sql`
				update reelmill.chunks set lock_expires_at = ${expiresAt}, progress = greatest(progress, ${progress}::integer) where ${isHeld(id, lock)} returning id`);
			return row === undefined ? refused(id, lock) : expiresAt;
		},
		async replaceOutputs(id, lock, entries) {
			const chunk = await held(id, lock);
			const archive = random.uuid();
			const place = { prefix: prefixOf(chunk, lock, archive), profileId: chunk.storage_profile_id };
			await storeArchive(place, entries, async (unnoted) => {
				const named = await database.query(sql`
					with named as (update reelmill.chunks set delivery = ${archive} where ${isHeld(id, lock)} returning id), ${unnoted}
					select id from named`);
				if (named.length === 0) await refused(id, lock);
			});
		},
		async place(id, lock) {
			const chunk = await held(id, lock);
			return { stored: await stores.of(chunk.storage_profile_id), prefix: prefixOf(chunk, lock, null) };
		},
		async complete(id, request) {
			const {
				lock,
				outputs: { files: declared },
			} = request;
			const chunk = await held(id, lock);
			const { outputs } = await stores.of(chunk.storage_profile_id);
			const prefix = prefixOf(chunk, lock, chunk.delivery);
			const found = await collectFiles(outputs, prefix, declared).catch(async (error: unknown) => {
				if (isReelmillError(error, "outputs_incomplete")) await held(id, lock);
				throw error;
			});
			const files = declared.map((file) => (typeof file === "string" ? { path: file, size: found[file] } : file));
			const done = await database.query(sql`
				update reelmill.chunks set state = 'done', lock = null, lock_expires_at = null, progress = 100, prefix = ${prefix}, files = ${JSON.stringify(files)}::text::jsonb
				where ${isHeld(id, lock)} and delivery is not distinct from ${chunk.delivery}::uuid returning id`);
			// If the lock is still held, only the archive was replaced meanwhile.
			if (done.length === 0 && (await held(id, lock))) return chunks.complete(id, request);
			// Workers that were lost before this had something to show for it. It is a statement of its own, because moves
			// lock the job before its chunks.
			await database.query(
				sql`update reelmill.jobs set fruitless = 0, lost_by = '{}' where id = ${chunk.video_id} and fruitless > 0`,
			);
		},
		async fail(id, lock, retryable) {
			const [row] = await database.query<{ state: "waiting" | "failed" }>(sql`
				update reelmill.chunks set state = case when ${retryable} and attempt < ${chunkAttempts} then 'waiting' else 'failed' end,
					lock = null, lock_expires_at = null, worker = null, progress = 0
				where ${isHeld(id, lock)} returning state`);
			return row === undefined ? refused(id, lock) : row.state;
		},
	};
	return chunks;
}
