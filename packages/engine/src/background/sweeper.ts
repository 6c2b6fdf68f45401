import sql, { type Sql } from "sql-template-tag";
import { type Admission, giveBack } from "../jobs/index.ts";
import { deleteInBatches } from "../retention/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, isWorked, type Step, type VideoRecord, type VideoStore } from "../videos/index.ts";
import type { Expiry } from "./expiry.ts";
import type { Reaper } from "./reaper.ts";

export type Sweeper = {
	/**
	 * Does everything that only time brings about, once; it asks no bucket, so none can hold it up. Many servers may
	 * sweep at once: each move is still made once. It never rejects.
	 */
	sweep(): Promise<void>;
};

const batch = 100;

export function createSweeper(
	{ database, clock, logger }: Parts,
	{
		store,
		expiry,
		admission,
		reaper,
		processingSeconds,
		queueSeconds,
		chores,
		afterChange,
	}: {
		store: VideoStore;
		expiry: Expiry;
		admission: Admission;
		reaper: Reaper;
		processingSeconds: number;
		queueSeconds: number;
		/** What other nouns have to do now and then, by name. */
		chores: { readonly [name: string]: () => Promise<unknown> };
		afterChange: AfterChange;
	},
): Sweeper {
	const ago = (seconds: number): Date => new Date(clock.now() - seconds * 1000);

	/** Takes each video that `select` finds through `step`, which looks again: the row may have changed since. */
	const moveEach = async (select: Sql, step: (record: VideoRecord) => Step | null): Promise<void> => {
		for (const { id } of await database.query<{ id: string }>(select)) {
			const saved = await store.change(id, step);
			if (saved !== null) await afterChange(saved);
		}
	};

	const endOverlongProcessing = (): Promise<void> =>
		moveEach(
			sql`select id from reelmill.jobs where lock is not null and started_at <= ${ago(processingSeconds)} limit ${batch}`,
			({ state }) => (isWorked(state) ? { command: { type: "fail", reason: "processing_timeout" } } : null),
		);
	const takeBackLostLocks = (): Promise<void> =>
		moveEach(sql`select id from reelmill.jobs where lock_expires_at <= ${ago(0)} limit ${batch}`, (record) => {
			const expired = record.job?.lock_expires_at != null && Date.parse(record.job.lock_expires_at) <= clock.now();
			// The holder may renew its lock at this very moment, and is told that it did.
			return isWorked(record.state) && expired
				? { ...giveBack(record, clock, false), onlyIfJob: sql`j.lock_expires_at <= ${ago(0)}` }
				: null;
		});
	const endOverlongWaits = (): Promise<void> =>
		moveEach(
			sql`select id from reelmill.videos where state = 'uploaded' and uploaded_at <= ${ago(queueSeconds)}
				union all select id from reelmill.jobs where lock is null and waiting_since <= ${ago(queueSeconds)} limit ${batch}`,
			({ state, uploaded_at, job }) => {
				const since =
					state === "uploaded" ? uploaded_at : state === "queued" && job !== null ? new Date(job.waiting_since) : null;
				return since !== null && since <= ago(queueSeconds) ? { command: { type: "time_out_queue" } } : null;
			},
		);
	const forgetEndedRateLimits = (): Promise<unknown> =>
		deleteInBatches(database, sql`reelmill.rate_limits`, sql`ends_at <= ${ago(0)}`);

	const tasks = {
		expireUploads: expiry.sweep,
		endOverlongProcessing,
		takeBackLostLocks,
		endOverlongWaits,
		admit: admission.admitAll,
		...chores,
		reap: reaper.sweep,
		forgetEndedRateLimits,
	};
	return {
		async sweep() {
			for (const [task, run] of Object.entries(tasks)) {
				await run().catch((error: unknown) => logger.error({ error, task }, "a sweep could not be finished"));
			}
		},
	};
}
