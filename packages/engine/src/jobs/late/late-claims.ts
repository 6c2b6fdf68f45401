import type { Job, JobPlan } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { latePutSeconds } from "../../storage/index.ts";
import type { Parts } from "../../system/index.ts";
import type { StoredOutputs } from "../../videos/index.ts";
import { type ClaimedRow, claimedJob } from "../claimed-job.ts";
import { isFor, type Taker } from "../workers/claimant.ts";
import type { LateKind } from "../workers/late-kinds.ts";
import { mayHaveLate } from "../workers/prefer-others.ts";

/** What a claim tells of the job's video, and its row. */
export type LateClaimRow<Row> = ClaimedRow & {
	readonly outputs: StoredOutputs;
	readonly plan: JobPlan;
	readonly duration_seconds: number;
	readonly width: number | null;
	readonly height: number | null;
	readonly job: Row;
};

/** What makes a job of one kind of a row. */
export type MakeJob<Row> = (
	row: LateClaimRow<Row>,
) => Pick<Job, "kind" | "source" | "transcript" | "poster"> & { readonly plan?: Partial<JobPlan> };

export type LateClaims = {
	/** Locks the waiting job that was requested first and returns it, or returns null if none waits. */
	lockNext(claimant: Taker): Promise<Job | null>;
	/** Does the same of tenants' jobs in whose domain no such job runs. */
	lockFirst(claimant: Taker): Promise<Job | null>;
	/** Locks the job of this id and returns it, or returns null if it doesn't wait. */
	lockById(id: string, claimant: Taker): Promise<Job | null>;
};

/** How many attempts a job may spoil before it is failed. */
export const lateAttempts = 3;
/** How many workers a job may lose, or find at fault, before it counts as the reason, and is failed. */
export const maxLostWorkers = 10;

/** SQL: whether nobody works on job `t`, because it waits or its lock expired. */
export const isFree = (now: Date): Sql => sql`(t.lock is null or t.lock_expires_at <= ${now})`;
/** SQL: whether free job `t` has had all its attempts, or lost the last worker that it may lose. */
export const isSpent = sql`(case when t.lock is null then t.attempt >= ${lateAttempts} else t.lost + 1 >= ${maxLostWorkers} end)`;
/** SQL: whether job `t` may be given to a worker. */
export const isClaimable = (now: Date): Sql => sql`${isFree(now)} and not ${isSpent} and t.not_before <= ${now}`;
/** SQL: whether a tenant's job of this kind may be given to this worker. Videos of the sandbox come after it. */
export const tenantWaits = (late: LateKind, claimant: Pick<Taker, "worker">, now: Date): Sql => sql`
	exists (select from ${late.table} t join reelmill.videos v on v.id = t.video_id
		where ${isClaimable(now)} and v.session_id is null and v.deleted_at is null and ${mayHaveLate(late, claimant, now)})`;

const nothing = sql`null::uuid`;
/** What of ended or waiting jobs is noted for deletion, beside what their attempts stored. */
type Noted = {
	/** SQL: a folder below that of the lock (default: all of it). */
	readonly below?: Sql;
	/** Whether what attempts stored is noted (default: true). */
	readonly attempts?: boolean;
	/** Whether what the jobs were made of is noted as well (default: false). */
	readonly given?: boolean;
};

/**
 * SQL: part `noted`, which notes for deletion what attempts stored: the rows of part `over` have their job's columns. What
 * may still arrive in a bucket is noted once more.
 */
export const noteAttempts = (
	late: LateKind,
	over: Sql,
	now: Date,
	{ below = sql`''`, attempts = true, given = false }: Noted = {},
): Sql => sql`
	noted as (
		insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
		select 'outputs', concat(v.domain_id, '/', v.id, ${`/${late.folder}/`}::text, f.name, '/', f.below), v.storage_profile_id, ${now}::timestamptz, due.moment
		from ${over} o join reelmill.videos v on v.id = o.video_id
			cross join lateral (values (${attempts ? sql`o.lock` : nothing}, ${below}), (${given ? late.given : nothing}, '')) as f (name, below),
			(values (null::timestamptz), (${new Date(now.getTime() + latePutSeconds * 1000)}::timestamptz)) as due (moment)
		where f.name is not null and (due.moment is null or v.storage_profile_id is not null) returning id)`;

/** Gives late jobs of one kind to workers. It skips one that another worker is about to take. */
export function createLateClaims<Row>(
	{ database, clock, random }: Parts,
	{ late, lockSeconds, makeJob }: { late: LateKind; lockSeconds: number; makeJob: MakeJob<Row> },
): LateClaims {
	const lockOne = async (
		condition: Sql,
		{ worker, takesSandbox }: Taker,
		now = new Date(clock.now()),
	): Promise<Job | null> => {
		const lock = random.uuid();
		// If the last worker was lost, this goes on with the same attempt.
		const [row] = await database.query<LateClaimRow<Row>>(sql`
			with picked as (
				select t.* from ${late.table} t join reelmill.videos v on v.id = t.video_id
				where ${isClaimable(now)} and v.deleted_at is null and ${isFor(takesSandbox)} and ${condition}
				order by t.created_at, t.video_id limit 1 for update of t skip locked),
			locked as (
				update ${late.table} t set lock = ${lock}, claimed_lock = ${lock}, claimed_at = ${now}, lock_expires_at = ${new Date(now.getTime() + lockSeconds * 1000)}, worker = ${worker},
					attempt = t.attempt + (t.lock is null)::integer, lost = t.lost + (t.lock is not null)::integer,
					given_back_by = case when t.lock is null then t.given_back_by else array_append(t.given_back_by, coalesce(t.worker, '')) end,
					given_back_at = case when t.lock is null then t.given_back_at else t.lock_expires_at end, progress = 0, delivery = null
				from picked where t.video_id = picked.video_id returning t.*),
			${noteAttempts(late, sql`picked`, now)}
			select l.${late.id} as id, l.lock, l.lock_expires_at, l.attempt, v.outputs, v.plan, coalesce(v.duration_seconds, 0) as duration_seconds, v.width, v.height, v.max_duration_seconds,
				v.session_id is not null as is_sandbox, v.id as video_id, v.domain_id, v.traceparent, v.request_id, to_jsonb(l) as job
			from locked l join reelmill.videos v on v.id = l.video_id`);
		return row === undefined ? null : jobOf(row, makeJob(row));
	};
	return {
		lockNext(claimant) {
			const now = new Date(clock.now());
			return lockOne(mayHaveLate(late, claimant, now), claimant, now);
		},
		lockFirst(claimant) {
			const now = new Date(clock.now());
			const none = sql`not exists (select from ${late.table} r where r.domain_id = t.domain_id and r.lock is not null and r.lock_expires_at > ${now})`;
			return lockOne(sql`v.session_id is null and ${none} and ${mayHaveLate(late, claimant, now)}`, claimant, now);
		},
		lockById: (id, claimant) => lockOne(sql`t.${late.id} = ${id}`, claimant),
	};
}

const jobOf = <Row>({ outputs: _, job: __, plan, ...row }: LateClaimRow<Row>, made: ReturnType<MakeJob<Row>>): Job => ({
	...claimedJob(row),
	...made,
	plan: { ...plan, transcript: false, outro_id: null, ...made.plan },
	speed: "balanced",
	playable_first: false,
	outro: null,
	chunk: null,
	idle_workers: 0,
});
