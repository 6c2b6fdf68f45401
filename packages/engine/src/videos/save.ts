import type { EventType, FailureReason, VideoState, WebhookEvent } from "@reelmill/contracts";
import sql, { empty, join, raw, type Sql } from "sql-template-tag";
import type { Statement } from "../ports/index.ts";
import { latePutSeconds } from "../storage/index.ts";
import { chunkFolder, reservedBytes, storedBytes, type VideoRecord } from "./record.ts";

/** `laterSeconds` gives those who still read the bytes so much time to finish. */
export type Discard = {
	readonly kind: "upload" | "outputs";
	readonly reference: string;
	readonly laterSeconds?: number;
};

/**
 * How an attempt ended without a result: its worker gave it up (`spoiled`), was told to stop (`stopped`), was not heard
 * of any more (`lost`), or was at fault itself (`at_fault`).
 */
export type AttemptEnd = "spoiled" | "stopped" | "lost" | "at_fault";

/** Gives a job back to the queue after an attempt that ended so. It is not claimed before the moment. */
export type Requeue = { readonly notBefore: Date; readonly end: AttemptEnd };

/** What must hold of the video's row `t` in another table, which is locked after the video's own. */
export type OnlyIf = { readonly table: Sql; readonly condition: Sql };

/** What is written together with the video's new row, or not at all. */
export type Effects = {
	readonly event: {
		readonly type: EventType;
		readonly deliveryId: string;
		readonly body: WebhookEvent;
		readonly attempts: number;
	} | null;
	readonly endsJob: boolean;
	readonly requeue: Requeue | null;
	/** Of the chunks that end with this, each one's folder is discarded by itself. */
	readonly discardsChunks: boolean;
	/** What must hold of the video's job `j`. Heartbeats and archives change the job without the video. */
	readonly onlyIfJob: Sql | null;
	readonly onlyIf: OnlyIf | null;
	readonly discards: readonly Discard[];
	/** What operators are told of a failure beside its reason; `null` if nobody knows. */
	readonly cause: string | null;
	/** The raw upload is needed again: it is no longer noted for deletion. */
	readonly needsUpload: boolean;
	/** The part that notes the change in the audit log, if it does. */
	readonly audited: Sql | null;
	/** Further parts, which read from `saved`. */
	readonly parts: readonly Sql[];
};

/**
 * Returns one statement, and so one transaction: it saves the video's row over the version that was decided on, and
 * every effect of the move. It answers one row if the video was saved. If another change came first it answers none,
 * and nothing was written.
 *
 * Rows are locked in one order everywhere, the video before its job before its domain, so that moves don't deadlock.
 */
export function saveStatement(before: VideoRecord, next: VideoRecord, effects: Effects, now: Date): Statement {
	const { id, domain_id: domainId } = before;
	const isAsRead = sql`id = ${id} and version = ${before.version} and deleted_at is null`;
	// A heartbeat may report progress until the job's row is locked.
	const takesJob = effects.onlyIfJob !== null || effects.endsJob;
	const { onlyIf } = effects;
	const isUnchanged = takesJob
		? sql`id in (select id from held)`
		: onlyIf === null
			? isAsRead
			: sql`id in (select video_id from guarded)`;
	const parts: Sql[] = [
		...(onlyIf === null
			? []
			: [
					sql`guarded as (
				select t.video_id from ${onlyIf.table} t join (select id from reelmill.videos where ${isAsRead} for update) v on v.id = t.video_id
				where ${onlyIf.condition} for update of t)`,
				]),
		...(takesJob
			? [
					sql`held as (
				select j.id, j.progress from reelmill.jobs j join (select id from reelmill.videos where ${isAsRead} for update) v on v.id = j.id
				where ${effects.onlyIfJob ?? sql`true`} for update of j)`,
				]
			: []),
		sql`saved as (
			update reelmill.videos set
				state = ${next.state}, version = version + 1, visibility = ${next.visibility}, duration_seconds = ${next.duration_seconds},
				width = ${next.width}, height = ${next.height}, transcript_status = ${next.transcript_status}, language = ${next.language},
				outputs = ${next.outputs}, report = ${next.report}, failure_reason = ${next.failure_reason}, updated_at = ${next.updated_at},
				uploaded_at = ${next.uploaded_at}, available_at = ${next.available_at}, deleted_at = ${next.deleted_at}, first_byte_at = ${next.first_byte_at}
				${next.request_id === before.request_id ? empty : sql`, request_id = ${next.request_id}`}
				${effects.endsJob ? sql`, progress = greatest(progress, (select progress from held))` : empty}
			where ${isUnchanged} returning id)`,
	];
	if (before.job?.chunked && (effects.requeue !== null || effects.endsJob))
		parts.push(...chunkParts(before, effects, now));
	if (effects.requeue) {
		parts.push(sql`requeued as (
			update reelmill.jobs set lock = null, lock_expires_at = null, worker = null, delivery = null, playable = null, turn = reelmill.present_turn(rank),
				waiting_since = ${now}, queued_at = ${now}, not_before = ${effects.requeue.notBefore}${lossColumns(effects.requeue, now)}
			where id in (select id from saved) returning id)`);
	}
	if (effects.endsJob)
		parts.push(sql`ended as (delete from reelmill.jobs where id in (select id from saved) returning id)`);
	if (next.failure_reason !== null && next.state !== before.state)
		parts.push(failurePart(before, next.failure_reason, effects.cause, now));
	const counts = countParts(before, next, effects.endsJob, now);
	parts.push(...counts);
	if (
		before.kind === "outro" &&
		(next.deleted_at !== null ||
			(next.state !== before.state &&
				(next.state === "available" || next.state === "cancelled" || before.state === "available")))
	) {
		parts.push(slugPart(before, next, counts.length > 0 ? sql`counted` : sql`saved`));
	}
	for (const [index, discard] of effects.discards.entries())
		parts.push(sql`${discardName(index)} as (${discardPart(discard, before, now)})`);
	if (effects.needsUpload) {
		parts.push(
			sql`kept as (delete from reelmill.deletions where kind = 'upload' and reference collate "C" = (select id::text from saved) returning id)`,
		);
	}
	if (effects.audited) parts.push(effects.audited);
	parts.push(...effects.parts);
	if (effects.event) parts.push(eventPart(domainId, id, effects.event, now));
	return sql`with ${join(parts, ", ")} select id from saved`;
}

/** Ends a job's chunks, but those that are finished if another attempt may keep them. */
function chunkParts({ storage_profile_id: profileId }: VideoRecord, effects: Effects, now: Date): Sql[] {
	const due = discardMoments({ kind: "outputs", reference: "" }, profileId, now);
	return [
		sql`unchunked as (
		delete from reelmill.chunks c where video_id in (select id from saved) ${effects.endsJob ? empty : sql`and state <> 'done'`} returning ${chunkFolder(sql`c`)} as folder)`,
		...(effects.discardsChunks
			? [
					sql`dropped as (
		insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
		select 'outputs', u.folder, ${profileId}::uuid, ${now}::timestamptz, due.moment from unchunked u, (values ${due}) as due (moment) returning id)`,
				]
			: []),
	];
}

/**
 * A worker that stops, is lost or is at fault takes neither an attempt of the job nor time of its processing limit. A
 * server of an earlier version doesn't note when it gave the job out.
 */
function lossColumns({ end }: Requeue, now: Date): Sql {
	if (end === "spoiled") return empty;
	const counted = {
		stopped: empty,
		lost: sql`, fruitless = fruitless + 1, lost_by = array_append(lost_by, coalesce(worker, '')), given_back_at = ${now}`,
		at_fault: sql`, given_back_by = array_append(given_back_by, coalesce(worker, '')), given_back_at = ${now}`,
	}[end];
	const worked = sql`${now}::timestamptz - case when claimed_lock = lock then claimed_at else ${now}::timestamptz end`;
	return sql`, losses = losses + 1, started_at = started_at + (${worked})${counted}`;
}

/** Moves the domain's counters, and its usage of the day, by what this change means for them. */
function countParts(before: VideoRecord, next: VideoRecord, endsJob: boolean, now: Date): Sql[] {
	const stored = storedBytes(next) - storedBytes(before);
	const reserved = reservedBytes(next) - reservedBytes(before);
	const parts: Sql[] = [];
	const isMovedTo = (...states: VideoState[]) =>
		next.state !== before.state && states.includes(next.state) && before.kind === "video";
	const isUploaded = isMovedTo("uploaded");
	const isAvailable = isMovedTo("available");
	const isFailed = isMovedTo("failed", "timeout");
	if (endsJob || stored !== 0 || reserved !== 0 || isFailed) {
		const slots = endsJob ? sql`(select count(*) from ended)` : sql`0`;
		parts.push(sql`counted as (
			update reelmill.domains set processing_count = processing_count - ${slots}, storage_bytes = storage_bytes + ${stored}, reserved_bytes = reserved_bytes + ${reserved}
				${isUploaded ? sql`, first_uploaded_at = coalesce(first_uploaded_at, ${now})` : empty}
			where id = ${before.domain_id} and exists (select from saved) returning id, storage_bytes)`);
	}
	const today = sql`(${now}::timestamptz at time zone 'UTC')::date`;
	if (reserved !== 0) {
		const uploaded = next.state === "uploaded" ? before.file_size : 0;
		parts.push(sql`used as (
			update reelmill.usage_days u set uploaded_bytes = u.uploaded_bytes + ${uploaded}, reserved_bytes = greatest(0, u.reserved_bytes + ${reserved}),
				uploads = u.uploads + ${isUploaded ? 1 : 0}, failures = u.failures + ${isFailed ? 1 : 0}, storage_bytes = case when u.day = ${today} and u.domain_id = counted.id then counted.storage_bytes else u.storage_bytes end
			from counted where u.domain_id in (counted.id, ${everyDomain}) and u.day = (${before.created_at}::timestamptz at time zone 'UTC')::date returning u.day)`);
	} else if (stored !== 0 || isAvailable || isFailed) {
		const encoded = isAvailable ? (next.duration_seconds ?? 0) : 0;
		parts.push(sql`made as (
			insert into reelmill.usage_days as u (domain_id, day, encoded_seconds, available, failures, storage_bytes)
			select counted.id, ${today}, ${encoded}::double precision, ${isAvailable ? 1 : 0}::integer, ${isFailed ? 1 : 0}::integer, counted.storage_bytes from counted
			on conflict (domain_id, day) do update set encoded_seconds = u.encoded_seconds + excluded.encoded_seconds, available = u.available + excluded.available,
				failures = u.failures + excluded.failures, storage_bytes = excluded.storage_bytes returning u.day)`);
	}
	return parts;
}

/** Notes the failure for the operator, with the worker that had the job. The job's row is read as it was before. */
const failurePart = (
	{ domain_id: domainId, kind }: VideoRecord,
	reason: FailureReason,
	cause: string | null,
	now: Date,
): Sql => sql`
	noted as (
		insert into reelmill.failures (video_id, domain_id, kind, reason, worker, cause, created_at)
		select s.id, ${domainId}::uuid, ${kind}::text, ${reason}::text, (select j.worker from reelmill.jobs j where j.id = s.id), ${cause}::text, ${now}::timestamptz from saved s
		on conflict do nothing returning video_id)`;

/**
 * Decides what an outro's slug means after this change. A superseded asset changes nothing; an asset that is given up
 * frees a slug that nothing else serves. `locked` is the part that comes before, and holds the domain's lock if this
 * change takes that.
 */
function slugPart(before: VideoRecord, next: VideoRecord, locked: Sql): Sql {
	const { id } = before;
	if (next.state === "available" && next.deleted_at === null) {
		return sql`named as (update reelmill.outros set serving_id = ${id} where asset_id = ${id} and exists (select from ${locked}) returning slug)`;
	}
	if (before.state === "available" && next.deleted_at === null) {
		return sql`named as (update reelmill.outros set serving_id = null where serving_id = ${id} and exists (select from ${locked}) returning slug)`;
	}
	const isOver = next.deleted_at === null ? sql`serving_id is null` : sql`true`;
	return sql`named as (delete from reelmill.outros where asset_id = ${id} and ${isOver} and exists (select from ${locked}) returning slug)`;
}

/** The row of `usage_days` that counts all domains together. */
const everyDomain = "00000000-0000-0000-0000-000000000000";

/** Notes a discard, in the transaction that makes the bytes useless. */
const discardPart = (discard: Discard, { storage_profile_id: profileId }: VideoRecord, now: Date): Sql => sql`
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select ${discard.kind}::text, ${discard.reference}::text, ${profileId}::uuid, ${now}::timestamptz, due.moment
	from saved, (values ${discardMoments(discard, profileId, now)}) as due (moment) returning id`;

/** Notes a discard in a statement of its own. */
export const noteDiscard = (discard: Discard, profileId: string | null, now: Date): Statement => sql`
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select ${discard.kind}::text, ${discard.reference}::text, ${profileId}::uuid, ${now}::timestamptz, due.moment
	from (values ${discardMoments(discard, profileId, now)}) as due (moment)`;

const isNoted = ({ kind, reference }: Discard, profileId: string | null): Sql =>
	sql`kind = ${kind} and reference collate "C" = ${reference} and storage_profile_id is not distinct from ${profileId}::uuid`;

/**
 * Notes as due what was noted for later, and answers a row. If it is noted no more, changes nothing and answers none.
 */
export const hastenDiscard = (discard: Discard, profileId: string | null, now: Date): Statement => sql`
	with noted as (delete from reelmill.deletions where ${isNoted(discard, profileId)} returning id)
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select ${discard.kind}::text, ${discard.reference}::text, ${profileId}::uuid, ${now}::timestamptz, due.moment
	from (values ${discardMoments(discard, profileId, now)}) as due (moment) where exists (select from noted) returning id`;

/** The part that takes a note back, because part `named` made the bytes somebody's. */
export const unnotePart = (discard: Discard, profileId: string | null): Sql => sql`
	unnoted as (delete from reelmill.deletions where ${isNoted(discard, profileId)} and exists (select from named) returning id)`;

/**
 * Returns when the bytes are to be deleted. Outputs in a bucket are noted twice because some may still arrive, from a
 * worker that lost its lock or over a connection that was given up: they are deleted now, and once more when that is
 * over.
 */
export function discardMoments({ kind, laterSeconds }: Discard, profileId: string | null, now: Date): Sql {
	const after = (seconds: number): Sql => sql`(${new Date(now.getTime() + seconds * 1000)}::timestamptz)`;
	const first = laterSeconds === undefined ? sql`(null::timestamptz)` : after(laterSeconds);
	const mayArrive = kind === "outputs" && profileId !== null && (laterSeconds ?? 0) < latePutSeconds;
	return mayArrive ? sql`${first}, ${after(latePutSeconds)}` : first;
}

const discardName = (index: number): Sql => raw(`discarded_${index}`);

/** SQL: whether the present endpoint of a domain's row asked for updates. One with another URL has not. */
export const asksForUpdates = (domain: Sql): Sql =>
	sql`coalesce(${domain}.updates_url = ${domain}.config ->> 'webhook_url', false)`;

/**
 * The outbox: the delivery exists if and only if the change that it reports was saved, and only if somebody wants to
 * hear of it: an endpoint hears of an update only if it asked for that. Each listener of the domain gets the same bytes.
 */
export function eventPart(domainId: string, videoId: string, event: NonNullable<Effects["event"]>, now: Date): Sql {
	const body = Buffer.from(JSON.stringify(event.body));
	return sql`told as (
		insert into reelmill.webhook_deliveries (id, domain_id, video_id, type, body, url, status, attempts_left, next_attempt_at, created_at)
		select ${event.deliveryId}::uuid, d.id, ${videoId}::uuid, ${event.type}::text, ${body}::bytea,
			d.config ->> 'webhook_url', 'pending', ${event.attempts}::integer, ${now}::timestamptz, ${now}::timestamptz
		from reelmill.domains d, saved
		where d.id = ${domainId} and d.webhook_secret is not null and d.config ->> 'webhook_url' is not null
			${event.type === "video.updated" ? sql`and ${asksForUpdates(sql`d`)}` : empty}
		returning id),
		heard as (
		insert into reelmill.webhook_heard (domain_id, listener_id, id, video_id, type, body, created_at)
		select l.domain_id, l.id, ${event.deliveryId}::uuid, ${videoId}::uuid, ${event.type}::text, ${body}::bytea, ${now}::timestamptz
		from reelmill.webhook_listeners l, saved where l.domain_id = ${domainId} and l.expires_at > ${now} returning id)`;
}
