import { type Job, type JobPlan, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Clock, Database, Random } from "../ports/index.ts";
import { target } from "../videos/index.ts";
import { mezzanine } from "./outputs.ts";

type ClaimRow = {
	id: string;
	kind: Job["kind"];
	lock: string;
	lock_expires_at: Date;
	attempt: number;
	content_type: string;
	file_size: number;
	max_duration_seconds: number;
	plan: JobPlan;
	outro_file_size: number | null;
};

export type Claims = {
	/** The oldest waiting job, locked; null when none came within `waitSeconds`, or `signal` aborted. Of many workers asking at once each job goes to one. */
	next(worker: string, waitSeconds: number, signal?: AbortSignal): Promise<Job | null>;
	/** This job, locked. Throws `video_not_claimable` where it isn't waiting, or another worker won. */
	byId(id: string, worker: string): Promise<Job>;
	/** Wakes claims that wait on this process: a job was queued. */
	wake(): void;
};

const pollMilliseconds = 1000;

export function createClaims({ database, clock, random, lockSeconds }: { database: Database; clock: Clock; random: Random; lockSeconds: number }): Claims {
	let waiting = new AbortController();

	/** One statement: the job's lock, its new attempt and the video's move. A job that another worker is about to take is passed over, not waited for. */
	const lockOne = async (condition: Sql, worker: string): Promise<Job | null> => {
		const now = new Date(clock.now());
		const [row] = await database.query<ClaimRow>(sql`
			with picked as (
				select j.id from reelmill.jobs j join reelmill.videos v on v.id = j.id
				where j.lock is null and v.state = 'queued' and v.deleted_at is null and ${condition}
				order by j.queued_at limit 1 for update of v, j skip locked),
			locked as (
				update reelmill.jobs j set lock = ${random.uuid()}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = j.attempt + 1, progress = 0, started_at = coalesce(j.started_at, ${now})
				from picked where j.id = picked.id returning j.*),
			moved as (
				update reelmill.videos v set state = ${target("queued", "claim")}, version = v.version + 1, updated_at = ${now}
				from picked where v.id = picked.id returning v.*)
			select l.id, l.kind, l.lock, l.lock_expires_at, l.attempt, m.content_type, m.file_size, m.max_duration_seconds, m.plan,
				(o.outputs #>> ${`{files,${mezzanine}}`}::text[])::bigint as outro_file_size
			from locked l join moved m on m.id = l.id left join reelmill.videos o on o.id = m.outro_id and o.deleted_at is null`);
		return row === undefined ? null : jobOf(row);
	};
	const due = (): Sql => sql`j.not_before <= ${new Date(clock.now())}`;

	return {
		async next(worker, waitSeconds, signal) {
			const until = clock.now() + waitSeconds * 1000;
			while (true) {
				const woken = waiting.signal;
				const job = await lockOne(due(), worker);
				const left = until - clock.now();
				if (job !== null || left <= 0 || signal?.aborted) return job;
				await clock.sleep(Math.min(left, pollMilliseconds), signal ? AbortSignal.any([woken, signal]) : woken);
			}
		},
		async byId(id, worker) {
			const job = await lockOne(sql`j.id = ${id}`, worker);
			if (job === null) throw new ReelmillError("video_not_claimable");
			return job;
		},
		wake() {
			waiting.abort();
			waiting = new AbortController();
		},
	};
}

const jobOf = (row: ClaimRow): Job => ({
	id: row.id,
	kind: row.kind,
	lock: row.lock,
	lock_expires_at: row.lock_expires_at.toISOString(),
	attempt: row.attempt,
	source: { content_type: row.content_type, file_size: row.file_size },
	limits: { max_duration_seconds: row.max_duration_seconds },
	plan: row.plan,
	outro: row.outro_file_size === null ? null : { file_size: row.outro_file_size },
});
