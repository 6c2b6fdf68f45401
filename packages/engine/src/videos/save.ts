import type { EventType, WebhookEvent } from "@reelmill/contracts";
import sql, { join, type Sql } from "sql-template-tag";
import type { Statement } from "../ports/index.ts";
import type { VideoRecord } from "./record.ts";

export type Discard = { readonly kind: "upload" | "outputs"; readonly reference: string };

/** What is written together with the video's new row, or not at all. */
export type Effects = {
	readonly event: { readonly type: EventType; readonly deliveryId: string; readonly body: WebhookEvent; readonly attempts: number } | null;
	readonly releasesUploadSlot: boolean;
	readonly endsJob: boolean;
	/** Gives the job back to the queue, not to be claimed before this moment. */
	readonly requeueNotBefore: Date | null;
	readonly discards: readonly Discard[];
};

/**
 * One statement, so one transaction: the video's row over the version it was decided on, and every effect of the move.
 * It answers one row when it was saved, and none when another change came first; then nothing at all was written.
 * Rows are locked in one order everywhere, the video before its job before its domain, so that moves don't deadlock.
 */
export function saveStatement(before: VideoRecord, next: VideoRecord, effects: Effects, now: Date): Statement {
	const { id, domain_id: domainId } = before;
	const parts: Sql[] = [
		sql`saved as (
			update reelmill.videos set
				state = ${next.state}, version = version + 1, visibility = ${next.visibility}, duration_seconds = ${next.duration_seconds},
				width = ${next.width}, height = ${next.height}, transcript_status = ${next.transcript_status}, language = ${next.language},
				outputs = ${next.outputs}, report = ${next.report}, failure_reason = ${next.failure_reason}, updated_at = ${next.updated_at},
				uploaded_at = ${next.uploaded_at}, available_at = ${next.available_at}, deleted_at = ${next.deleted_at}
			where id = ${id} and version = ${before.version} and deleted_at is null returning id)`,
	];
	if (effects.requeueNotBefore) {
		parts.push(sql`requeued as (
			update reelmill.jobs set lock = null, lock_expires_at = null, worker = null, progress = 0, queued_at = ${now}, not_before = ${effects.requeueNotBefore}
			where id in (select id from saved) returning id)`);
	}
	if (effects.endsJob) {
		parts.push(
			sql`ended as (delete from reelmill.jobs where id in (select id from saved) returning id)`,
			sql`freed as (update reelmill.domains set processing_count = processing_count - 1 where id = ${domainId} and exists (select from ended) returning id)`,
		);
	}
	if (effects.releasesUploadSlot && before.uploader_ref !== null) {
		parts.push(sql`released as (
			update reelmill.uploader_slots set pending = pending - 1
			where domain_id = ${domainId} and uploader_ref = ${before.uploader_ref} and exists (select from saved) returning pending)`);
	}
	for (const [index, { kind, reference }] of effects.discards.entries()) {
		parts.push(sql`${discardName(index)} as (
			insert into reelmill.deletions (kind, reference, created_at) select ${kind}::text, ${reference}::text, ${now}::timestamptz from saved returning id)`);
	}
	if (effects.event) parts.push(eventPart(domainId, id, effects.event, now));
	return sql`with ${join(parts, ", ")} select id from saved`;
}

const discardName = (index: number): Sql => (index === 0 ? sql`discarded` : sql`discarded_too`);

/** The outbox: the delivery exists if and only if the change that it tells was saved, and only where somebody wants to hear of it. */
function eventPart(domainId: string, videoId: string, event: NonNullable<Effects["event"]>, now: Date): Sql {
	return sql`told as (
		insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
		select ${event.deliveryId}::uuid, d.id, ${videoId}::uuid, ${event.type}::text, ${Buffer.from(JSON.stringify(event.body))}::bytea,
			d.config ->> 'webhook_url', 'pending', ${event.attempts}::integer, ${now}::timestamptz, ${now}::timestamptz
		from reelmill.domains d, saved
		where d.id = ${domainId} and d.webhook_secret is not null and d.config ->> 'webhook_url' is not null
		returning id)`;
}
