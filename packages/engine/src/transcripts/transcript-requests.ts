import sql, { empty, type Sql } from "sql-template-tag";
import { type Actor, auditPart } from "../audit/index.ts";
import type { Parts } from "../system/index.ts";

const batch = 500;

/**
 * Requests the transcripts that no worker could make when their videos were processed, newest video first, and returns
 * how many became `pending`. If two requests run at once, each transcript is requested once. A request that found some
 * is audited once.
 */
export type RequestTranscripts = (domain: { readonly id: string; readonly slug: string }, by: Actor) => Promise<number>;

export function createTranscriptRequests(
	parts: Parts,
	{ onRequested }: { onRequested: () => void },
): RequestTranscripts {
	const { database, clock } = parts;
	const requestSome = async (domainId: string, { requestId }: Actor, audited: Sql): Promise<number> => {
		const now = new Date(clock.now());
		const asked = await database.query(sql`
			with wanted as (
				select v.id from reelmill.videos v
				where v.domain_id = ${domainId} and v.kind = 'video' and v.state = 'available' and v.deleted_at is null and v.transcript_status = 'unavailable'
					and exists (select from jsonb_object_keys(v.outputs -> 'files') as path where path = 'web.mp4' or path like 'media/%')
				order by v.created_at desc, v.id desc limit ${batch} for update skip locked),
			marked as (
				update reelmill.videos v set transcript_status = 'pending', request_id = ${requestId}, version = v.version + 1, updated_at = ${now} from wanted where v.id = wanted.id returning v.id)
			${audited}
			insert into reelmill.transcriptions (video_id, not_before, created_at) select id, ${now}::timestamptz, ${now}::timestamptz from marked returning video_id`);
		return asked.length;
	};
	return async ({ id, slug }, by) => {
		const resource = { kind: "domain", id, label: slug } as const;
		const entry = { action: "domain.transcripts_requested", resource, domainId: id } as const;
		let sum = 0;
		let count: number;
		do {
			count = await requestSome(id, by, sum === 0 ? sql`, ${auditPart(parts, by, entry, sql`marked`)}` : empty);
			sum += count;
		} while (count === batch);
		if (sum > 0) onRequested();
		return sum;
	};
}
