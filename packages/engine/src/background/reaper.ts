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
	 * Deletes the bytes of these discards now, except those that are due later and those in a bucket that just failed. A
	 * deletion that fails stays noted, and a sweep tries it again. It never rejects.
	 */
	reap(discards: readonly Discard[], profileId: string | null): Promise<void>;
	/** Deletes what is noted for deletion on the local disk, and returns how many notes it settled. */
	sweep(): Promise<number>;
	/**
	 * Does the same in buckets, apart from what was withdrawn from the public. Each bucket is treated on its own: one
	 * that fails doesn't delay the others, and is left alone for longer and longer.
	 */
	sweepBuckets(): Promise<number>;
	/**
	 * Deletes what was withdrawn from the public, in all buckets or in the bucket of this profile. It waits for no other
	 * deletion.
	 */
	sweepWithdrawn(profileId?: string): Promise<number>;
	/** SQL: whether something is noted for deletion on the local disk. */
	isDue(): Sql;
	/** SQL: whether something is noted for deletion in buckets that may be asked. */
	isDueInBuckets(): Sql;
	/** SQL: whether something that was withdrawn from the public is to be deleted in buckets that may be asked. */
	isWithdrawalDue(): Sql;
};

/** The condition is written as in the index that it uses. */
const isWithdrawn = sql`reference like 'public/%'`;
const batch = 200;
const bucketsAtOnce = 16;
/** After so many failures the disk is left alone until the next sweep: each may have taken seconds. */
const patience = 3;

/** Deletes bytes that a committed change made useless. Idempotent, also on many servers at once. */
export function createReaper(
	{ database, clock, logger }: Parts,
	{ stores, backoff }: { stores: Stores; backoff: Backoff },
): Reaper {
	const due = (): Sql => sql`(not_before is null or not_before <= ${new Date(clock.now())})`;
	const remove = async ({ kind, reference, storage_profile_id: profileId }: Note): Promise<boolean> => {
		// The index has this collation, whatever the database's is.
		const settled = sql`kind = ${kind} and reference collate "C" = ${reference} and storage_profile_id is not distinct from ${profileId}::uuid and ${due()}`;
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

	const inBuckets = (condition: Sql): Sql =>
		sql`storage_profile_id is not null and storage_profile_id <> all(${backoff.held()}::uuid[]) and ${condition} and ${due()}`;
	const sweepEach = async (condition: Sql): Promise<number> => {
		const noted = await database.query<{ id: string }>(sql`
			select distinct storage_profile_id as id from reelmill.deletions where ${inBuckets(condition)} limit ${bucketsAtOnce}`);
		const settled = await Promise.all(noted.map(({ id }) => sweepBucket(id, condition)));
		return settled.reduce((sum, count) => sum + count, 0);
	};

	const isNoted = (condition: Sql): Sql => sql`exists (select from reelmill.deletions where ${condition})`;
	return {
		isDue: () => isNoted(sql`storage_profile_id is null and ${due()}`),
		isDueInBuckets: () => isNoted(inBuckets(sql`not ${isWithdrawn}`)),
		isWithdrawalDue: () => isNoted(inBuckets(isWithdrawn)),
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
