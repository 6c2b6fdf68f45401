import { type CompleteRequest, isReelmillError, type OutputFile, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Bytes } from "../ports/index.ts";
import type { OwnedStores, Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { chunksPrefix } from "../videos/index.ts";
import { chunkAttempts } from "./chunk-claims.ts";
import type { Forsake } from "./forsake.ts";
import { collectFiles, storeFiles } from "./outputs.ts";

/** A row of `reelmill.chunks`, with where its video is stored. */
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
 * The side of a worker that encodes a chunk. It has a lock of the chunk's own, and the row is only there while the
 * attempt lasts that offered it: all else is `video_not_found`, for a chunk that is nobody's `invalid_video_state`, for
 * another's `not_lock_holder`; then nothing is changed.
 */
export type HeldChunks = {
	find(id: string): Promise<ChunkRecord | null>;
	/** The chunk, where this lock is its own. */
	held(id: string, lock: string): Promise<ChunkRecord>;
	heartbeat(id: string, lock: string, progress: number): Promise<Date>;
	/** Stores an archive of its files in place of the one before. */
	replaceOutputs(
		id: string,
		lock: string,
		entries: AsyncIterable<{ readonly path: string; readonly bytes: Bytes }>,
	): Promise<void>;
	/** Where its files are put one by one. */
	place(id: string, lock: string): Promise<{ readonly stored: OwnedStores; readonly prefix: string }>;
	/** Throws `outputs_incomplete` as for a video. */
	complete(id: string, request: CompleteRequest): Promise<void>;
	/** The chunk waits again, or is left to the worker that has the video. */
	fail(id: string, lock: string, retryable: boolean): Promise<"waiting" | "failed">;
};

export function createHeldChunks(
	{ database, clock, random }: Parts,
	{
		stores,
		lockSeconds,
		forsake,
	}: {
		stores: Stores;
		lockSeconds: number;
		forsake: Forsake;
	},
): HeldChunks {
	const find: HeldChunks["find"] = async (id) => {
		const [row] = await database.query<ChunkRecord>(
			sql`select c.*, v.storage_profile_id from reelmill.chunks c join reelmill.videos v on v.id = c.video_id where c.id = ${id}`,
		);
		return row ?? null;
	};
	const held = async (id: string, lock: string): Promise<ChunkRecord> => {
		const chunk = await find(id);
		if (chunk === null) throw new ReelmillError("video_not_found");
		if (chunk.state !== "locked") throw new ReelmillError("invalid_video_state");
		if (chunk.lock !== lock) throw new ReelmillError("not_lock_holder");
		return chunk;
	};
	const isHeld = (id: string, lock: string) => sql`id = ${id} and lock = ${lock} and state = 'locked'`;
	/** Nothing was written: says why. */
	const refused = async (id: string, lock: string): Promise<never> => {
		await held(id, lock);
		throw new ReelmillError("not_lock_holder");
	};
	const prefixOf = (
		{ domain_id, video_id, parent_lock, id }: ChunkRecord,
		lock: string,
		delivery: string | null,
	): string =>
		`${chunksPrefix(domain_id, video_id, parent_lock)}${id}/${lock}/${delivery === null ? "" : `${delivery}/`}`;

	const chunks: HeldChunks = {
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
			const { outputs } = await stores.of(chunk.storage_profile_id);
			const delivery = random.uuid();
			const prefix = prefixOf(chunk, lock, delivery);
			try {
				await storeFiles(outputs, prefix, entries);
				const named = await database.query(
					sql`update reelmill.chunks set delivery = ${delivery} where ${isHeld(id, lock)} returning id`,
				);
				if (named.length === 0) await refused(id, lock);
			} catch (error) {
				await forsake({ prefix, profileId: chunk.storage_profile_id }, error);
				throw error;
			}
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
			// Still held: then only its archive was replaced meanwhile.
			if (done.length === 0 && (await held(id, lock))) await chunks.complete(id, request);
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
