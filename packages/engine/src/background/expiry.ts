import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import type { Uploads } from "../uploads/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import type { Backoff } from "./backoff.ts";

/** Ends uploads whose window closed. An upload with every byte is completed; the others expire. */
export type Expiry = {
	/** Ends uploads on the local disk. */
	sweep(): Promise<void>;
	/**
	 * Ends uploads in buckets, and returns how many were due. Each bucket is treated on its own; one that just failed is
	 * left out. If a bucket can't be asked for an hour, its uploads expire.
	 */
	sweepBuckets(): Promise<number>;
	/** SQL: whether an upload on the local disk is due. */
	isDue(): Sql;
	/** SQL: whether an upload in a bucket is due. */
	isDueInBuckets(): Sql;
};

type Due = { readonly id: string; readonly storage_profile_id: string | null; readonly expires_at: Date };
const batch = 100;
const patienceMilliseconds = 3_600_000;
/** After so many failures the disk is left alone until the next sweep: each may have taken seconds. */
const patience = 3;

export function createExpiry(
	{ database, clock, logger }: Parts,
	{
		store,
		uploads,
		backoff,
		afterChange,
	}: {
		store: VideoStore;
		uploads: Uploads;
		backoff: Backoff;
		afterChange: AfterChange;
	},
): Expiry {
	const isOver = (condition: Sql): Sql =>
		sql`state = 'pending_upload' and expires_at <= ${new Date(clock.now())} and ${condition}`;
	const onDisk = sql`storage_profile_id is null`;
	const inBuckets = (): Sql =>
		sql`storage_profile_id is not null and storage_profile_id <> all(${backoff.held()}::uuid[])`;
	const due = (condition: Sql): Promise<Due[]> =>
		database.query<Due>(sql`
			select id, storage_profile_id, expires_at from reelmill.videos
			where ${isOver(condition)} order by expires_at, id limit ${batch}`);

	const expire = async (id: string): Promise<void> => {
		const saved = await store.change(id, ({ state }) =>
			state === "pending_upload" ? { command: { type: "expire_upload" } } : null,
		);
		if (saved !== null) await afterChange(saved);
	};
	/** Never rejects: one upload that can't expire doesn't keep the others from it. */
	const expireAnyway = (id: string): Promise<void> =>
		expire(id).catch((error: unknown) => logger.error({ error, videoId: id }, "an upload could not expire yet"));
	const isOverdue = ({ expires_at }: Due): boolean => expires_at.getTime() + patienceMilliseconds <= clock.now();

	/** Returns false if the storage couldn't be asked. */
	const end = async (upload: Due): Promise<boolean> => {
		try {
			const record = await store.find(upload.id);
			if (record !== null && !(await uploads.completeIfWhole(record))) await expire(upload.id);
			return true;
		} catch (error) {
			logger.warn({ error, videoId: upload.id }, "an upload's end could not be settled yet");
			if (isOverdue(upload)) await expireAnyway(upload.id);
			return false;
		}
	};

	/** Doesn't ask the bucket again after a failure. */
	const endInBucket = async (profileId: string, uploadsThere: readonly Due[]): Promise<void> => {
		for (const upload of uploadsThere) {
			if (!backoff.isHeld(profileId)) {
				if (!(await end(upload))) backoff.failed(profileId);
			} else if (isOverdue(upload)) await expireAnyway(upload.id);
		}
	};

	return {
		isDue: () => sql`exists (select from reelmill.videos where ${isOver(onDisk)})`,
		isDueInBuckets: () => sql`exists (select from reelmill.videos where ${isOver(inBuckets())})`,
		async sweep() {
			let failures = 0;
			for (const upload of await due(onDisk)) if (!(await end(upload)) && ++failures === patience) return;
		},
		async sweepBuckets() {
			const all = await due(inBuckets());
			const byProfile = Map.groupBy(all, ({ storage_profile_id }) => storage_profile_id ?? "");
			await Promise.all([...byProfile].map(([profileId, there]) => endInBucket(profileId, there)));
			return all.length;
		},
	};
}
