import sql, { type Sql } from "sql-template-tag";
import { type Chores, eachApart, whenDue } from "../../background/index.ts";
import type { Parts } from "../../system/index.ts";
import { type AfterChange, isWorked, type Step, type VideoRecord, type VideoStore } from "../../videos/index.ts";
import type { Windows } from "../../windows.ts";
import { giveBack } from "./give-back.ts";

const batch = 100;

/** What time alone brings about for jobs. Each task takes a limited number of jobs per call. */
export function createJobTimeouts(
	{ database, clock, logger }: Parts,
	{
		store,
		windows,
		afterChange,
	}: {
		store: VideoStore;
		windows: Pick<Windows, "processing" | "queue">;
		afterChange: AfterChange;
	},
): Chores {
	const ago = (seconds: number): Date => new Date(clock.now() - seconds * 1000);

	/** Changes each video that `select` finds. `step` decides by the record of that moment, which may have changed. */
	const changeEach = async (task: string, select: Sql, step: (record: VideoRecord) => Step | null): Promise<void> =>
		eachApart(await database.query<{ id: string }>(select), { logger, task }, async ({ id }) => {
			const saved = await store.change(id, step);
			if (saved !== null) await afterChange(saved);
		});

	/** Running jobs have an index of their own. A sweep reads none of those that wait. */
	const overlong = () =>
		sql`select id from reelmill.jobs where lock is not null and started_at <= ${ago(windows.processing)}`;
	const lost = () => sql`select id from reelmill.jobs where lock is not null and lock_expires_at <= ${ago(0)}`;
	const isAny = (select: Sql): Sql => sql`exists (${select})`;

	return {
		endOverlongProcessing: whenDue(
			() => isAny(overlong()),
			() =>
				changeEach("endOverlongProcessing", sql`${overlong()} limit ${batch}`, ({ state }) =>
					isWorked(state) ? { command: { type: "fail", reason: "processing_timeout" } } : null,
				),
		),
		takeBackLostLocks: whenDue(
			() => isAny(lost()),
			() =>
				changeEach("takeBackLostLocks", sql`${lost()} limit ${batch}`, (record) => {
					const expired = record.job?.lock_expires_at != null && Date.parse(record.job.lock_expires_at) <= clock.now();
					// A holder that renews its lock now was told so: the lock is taken back only if it still is expired.
					return isWorked(record.state) && expired
						? { ...giveBack(record, clock, "lost"), onlyIfJob: sql`j.lock_expires_at <= ${ago(0)}` }
						: null;
				}),
		),
		endOverlongWaits: () =>
			changeEach(
				"endOverlongWaits",
				sql`select id from reelmill.videos where state = 'uploaded' and uploaded_at <= ${ago(windows.queue)}
					union all select id from reelmill.jobs where lock is null and waiting_since <= ${ago(windows.queue)} limit ${batch}`,
				({ state, uploaded_at, job }) => {
					const since =
						state === "uploaded"
							? uploaded_at
							: state === "queued" && job !== null
								? new Date(job.waiting_since)
								: null;
					return since !== null && since <= ago(windows.queue) ? { command: { type: "time_out_queue" } } : null;
				},
			),
	};
}
