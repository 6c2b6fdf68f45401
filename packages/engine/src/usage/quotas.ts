import { limits, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { Scope } from "../keys/index.ts";
import type { Clock, Database } from "../ports/index.ts";

export type Quotas = {
	/**
	 * What a file of this size would be refused with for its quotas, in the order of the initiate's checks; null where none refuses it, or there is no such domain.
	 * It reserves nothing. What it knows of a domain may be a second old, so that a flood of requests costs one read a second.
	 */
	fault(scope: Scope, fileSize: number): Promise<ReelmillError<"upload_quota_exceeded" | "storage_quota_exceeded"> | null>;
};

/** Quotas in bytes, and what is left of them. */
type Row = { daily: number; daily_left: number; instance_left: number | null; storage_left: number; session_videos: number | null };

const nobody = "00000000-0000-0000-0000-000000000000";
const stalenessMilliseconds = 1000;

export function createQuotas({ database, clock, instanceDailyBytes }: { database: Database; clock: Clock; instanceDailyBytes: number | null }): Quotas {
	const known = createBriefCache<Row | undefined>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });

	const read = async ({ domainId, sessionId }: Scope): Promise<Row | undefined> => {
		const used = (id: string) => sql`coalesce((select u.uploaded_bytes + u.reserved_bytes from reelmill.usage_days u
			where u.domain_id = ${id} and u.day = (${new Date(clock.now())}::timestamptz at time zone 'UTC')::date), 0)`;
		const [row] = await database.query<Row>(sql`
			select d.daily_upload_bytes as daily, d.daily_upload_bytes - ${used(domainId)} as daily_left, ${instanceDailyBytes}::bigint - ${used(nobody)} as instance_left,
				d.storage_bytes_limit - d.storage_bytes - d.reserved_bytes as storage_left,
				case when ${sessionId}::uuid is not null then (select count(*) from reelmill.videos v where v.session_id = ${sessionId}::uuid) end as session_videos
			from reelmill.domains d where d.id = ${domainId} and d.deleted_at is null`);
		return row;
	};
	const tomorrow = (): string => {
		const now = new Date(clock.now());
		return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1)).toISOString();
	};

	return {
		async fault(scope, fileSize) {
			const room = await known.get(`${scope.domainId} ${scope.sessionId}`, () => read(scope));
			if (room === undefined) return null;
			if (room.session_videos !== null && room.session_videos >= limits.sandbox.videos) return new ReelmillError("upload_quota_exceeded");
			if (fileSize > room.daily_left || fileSize > (room.instance_left ?? fileSize)) {
				const canSucceed = fileSize <= Math.min(room.daily, instanceDailyBytes ?? fileSize);
				return new ReelmillError("upload_quota_exceeded", canSucceed ? { extras: { retryAfter: tomorrow() } } : {});
			}
			return fileSize > room.storage_left ? new ReelmillError("storage_quota_exceeded") : null;
		},
	};
}
