import { limits, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import { isKept, keyOf } from "../idempotency/index.ts";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

/** What a domain may still upload and process. */
export type Quotas = {
	/**
	 * Returns the error with which the quotas would refuse a file of this size, or null if they don't, or if there is no
	 * such domain. The checks have the order of the initiate's. It reserves nothing. The result may be 1 s old, so that a
	 * flood of requests costs one read per second. A creation that its key has made already is refused by no quota.
	 */
	fault(
		scope: Scope,
		fileSize: number,
		idempotencyKey?: string,
	): Promise<ReelmillError<"upload_quota_exceeded" | "storage_quota_exceeded"> | null>;
};

/** Quotas in bytes, and what is left of them. `renewed_at` is null if the sandbox session ends before the next day. */
type Row = {
	daily: number;
	daily_left: number;
	instance_left: number | null;
	storage_left: number;
	session_videos: number | null;
	renewed_at: Date | null;
	/** What further uploads of the sandbox may reserve before their first byte; null if none waits for it. */
	idle_left: number | null;
};

const nobody = "00000000-0000-0000-0000-000000000000";
const stalenessMilliseconds = 1000;

export function createQuotas(
	{ database, clock }: Parts,
	{ instanceDailyBytes }: { instanceDailyBytes: number | null },
): Quotas {
	const bounds = { clock, max: 10_000, milliseconds: stalenessMilliseconds };
	const known = createBriefCache<Row | undefined>(bounds);
	const knownIdle = createBriefCache<Date | null>(bounds);

	/** Counts as `reelmill.initiate_upload` does: the sandbox may use at most a quarter of the installation's quota. */
	const read = async ({ domainId, sessionId }: Scope): Promise<Row | undefined> => {
		const isSandbox = sql`${sessionId}::uuid is not null`;
		const daily = sql`least(d.daily_upload_bytes, case when ${isSandbox} then ${instanceDailyBytes}::bigint / 4 end)`;
		const used = (id: string) => sql`coalesce((select u.uploaded_bytes + u.reserved_bytes from reelmill.usage_days u
			where u.domain_id = ${id} and u.day = (${new Date(clock.now())}::timestamptz at time zone 'UTC')::date), 0)`;
		const [row] = await database.query<Row>(sql`
			select ${daily} as daily, ${daily} - ${used(domainId)} as daily_left, ${instanceDailyBytes}::bigint - ${used(nobody)} as instance_left,
				d.storage_bytes_limit - d.storage_bytes - d.reserved_bytes as storage_left,
				case when ${isSandbox} then (select count(*) from reelmill.videos v where v.session_id = ${sessionId}::uuid) end as session_videos,
				case when ${isSandbox} then reelmill.within_session(${sessionId}::uuid, ${tomorrow()}::timestamptz) else ${tomorrow()}::timestamptz end as renewed_at,
				case when ${isSandbox} then (select ${daily} / 10 - sum(v.file_size)::bigint from reelmill.videos v
					where v.domain_id = d.id and v.state = 'pending_upload' and v.deleted_at is null and v.first_byte_at is null) end as idle_left
			from reelmill.domains d where d.id = ${domainId} and d.deleted_at is null`);
		return row;
	};
	/** Returns when so many bytes may wait for their first one; null if the sandbox session ends before. */
	const idleUntil = async ({ domainId, sessionId }: Scope, fileSize: number, daily: number): Promise<Date | null> => {
		const [row] = await database.query<{ until: Date | null }>(sql`
			select reelmill.within_session(${sessionId}::uuid, reelmill.free_of_idle_uploads(${domainId}::uuid, ${fileSize}::bigint, ${daily}::bigint / 10)) as until`);
		return row?.until ?? null;
	};
	const tomorrow = (): Date => {
		const now = new Date(clock.now());
		return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1));
	};

	const isMade = async (scope: Scope, idempotencyKey: string): Promise<boolean> => {
		const key = keyOf(scope, idempotencyKey);
		const made = await database.query(sql`select from reelmill.idempotency_keys k where ${isKept(key, clock)}`);
		return made.length > 0;
	};
	const faultOf = async (scope: Scope, fileSize: number): ReturnType<Quotas["fault"]> => {
		const room = await known.get(`${scope.domainId} ${scope.sessionId}`, () => read(scope));
		if (room === undefined) return null;
		if (room.session_videos !== null && room.session_videos >= limits.sandbox.videos)
			return new ReelmillError("upload_quota_exceeded");
		if (fileSize > room.daily_left || fileSize > (room.instance_left ?? fileSize)) {
			const { renewed_at, daily } = room;
			const canSucceed = renewed_at !== null && fileSize <= Math.min(daily, instanceDailyBytes ?? fileSize);
			return new ReelmillError(
				"upload_quota_exceeded",
				canSucceed ? { extras: { retryAfter: renewed_at.toISOString() } } : {},
			);
		}
		if (room.idle_left !== null && fileSize > room.idle_left) {
			const until = await knownIdle.get(`${scope.domainId} ${scope.sessionId} ${fileSize}`, () =>
				idleUntil(scope, fileSize, room.daily),
			);
			return new ReelmillError(
				"upload_quota_exceeded",
				until === null ? {} : { extras: { retryAfter: until.toISOString() } },
			);
		}
		return fileSize > room.storage_left ? new ReelmillError("storage_quota_exceeded") : null;
	};

	return {
		async fault(scope, fileSize, idempotencyKey) {
			const fault = await faultOf(scope, fileSize);
			if (fault === null || idempotencyKey === undefined) return fault;
			return (await isMade(scope, idempotencyKey)) ? null : fault;
		},
	};
}
