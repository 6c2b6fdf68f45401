import sql, { type Sql } from "sql-template-tag";
import { removeProbes, type Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { Discard } from "../videos/index.ts";
import type { Backoff } from "./backoff.ts";

type Note = {
	readonly kind: Discard["kind"] | "probes";
	readonly reference: string;
	readonly storage_profile_id: string | null;
};

export type Reaper = {
	/**
	 * Deletes the bytes of these now; not those that are to be deleted later, nor those in a bucket that just failed.
	 * What fails stays noted and is tried again by a sweep; it never rejects.
	 */
	reap(discards: readonly Discard[], profileId: string | null): Promise<void>;
	/**
	 * Deletes what earlier changes noted on the local disk and nobody deleted yet, and answers how many notes it settled.
	 */
	sweep(): Promise<number>;
	/**
	 * The same in buckets, each on its own: one that fails keeps no other waiting, and is left alone for longer and
	 * longer. What was withdrawn from the public is not among it.
	 */
	sweepBuckets(): Promise<number>;
	/**
	 * The same of what was withdrawn from the public, which waits for nothing else: in all buckets, or in the one of this
	 * profile alone.
	 */
	sweepWithdrawn(profileId?: string): Promise<number>;
};

/** As it stands in the index that finds them. */
const isWithdrawn = sql`reference like 'public/%'`;
const batch = 200;
const bucketsAtOnce = 16;
/** A disk that fails so often in one sweep is left until the next: each failure may have taken seconds. */
const patience = 3;

/** Deletes bytes that a committed change has made useless. Done twice, or by two servers at once, is fine. */
export function createReaper(
	{ database, clock, logger }: Parts,
	{ stores, backoff }: { stores: Stores; backoff: Backoff },
): Reaper {
	const due = (): Sql => sql`(not_before is null or not_before <= ${new Date(clock.now())})`;
	const remove = async ({ kind, reference, storage_profile_id: profileId }: Note): Promise<boolean> => {
		const settled = sql`kind = ${kind} and reference = ${reference} and storage_profile_id is not distinct from ${profileId}::uuid and ${due()}`;
		try {
			const { uploads, outputs } = await stores.of(profileId);
			if (kind === "upload") await uploads.discard(reference);
			else if (kind === "outputs")
				await (reference.endsWith("/") ? outputs.deletePrefix(reference) : outputs.delete(reference));
			else await removeProbes({ uploads, outputs }, clock);
			await database.query(sql`delete from reelmill.deletions where ${settled}`);
			if (profileId !== null) backoff.worked(profileId);
			return true;
		} catch (error) {
			if (profileId !== null) backoff.failed(profileId);
			logger.warn({ error, kind, reference, profileId }, "bytes could not be deleted yet");
			return false;
		}
	};

	const sweepBucket = async (profileId: string, condition: Sql): Promise<number> => {
		const notes = await database.query<Note>(sql`
			select distinct kind, reference, storage_profile_id from reelmill.deletions
			where storage_profile_id = ${profileId} and ${condition} and ${due()} limit ${batch}`);
		let settled = 0;
		for (const note of notes) {
			if (!(await remove(note))) break;
			settled++;
		}
		return settled;
	};

	const sweepEach = async (condition: Sql): Promise<number> => {
		const noted = await database.query<{ id: string }>(sql`
			select distinct storage_profile_id as id from reelmill.deletions
			where storage_profile_id is not null and storage_profile_id <> all(${backoff.held()}::uuid[]) and ${condition} and ${due()} limit ${bucketsAtOnce}`);
		const settled = await Promise.all(noted.map(({ id }) => sweepBucket(id, condition)));
		return settled.reduce((sum, count) => sum + count, 0);
	};

	return {
		async reap(discards, profileId) {
			for (const discard of discards) {
				if (profileId !== null && backoff.isHeld(profileId)) return;
				if (discard.laterSeconds !== undefined) continue;
				await remove({ ...discard, storage_profile_id: profileId });
			}
		},
		async sweep() {
			const notes = await database.query<Note>(
				sql`select distinct kind, reference, storage_profile_id from reelmill.deletions where storage_profile_id is null and ${due()} limit ${batch}`,
			);
			let [settled, failures] = [0, 0];
			for (const note of notes) {
				if (await remove(note)) settled++;
				else if (++failures === patience) break;
			}
			return settled;
		},
		sweepBuckets: () => sweepEach(sql`not ${isWithdrawn}`),
		async sweepWithdrawn(profileId) {
			if (profileId === undefined) return sweepEach(isWithdrawn);
			return backoff.isHeld(profileId) ? 0 : sweepBucket(profileId, isWithdrawn);
		},
	};
}
