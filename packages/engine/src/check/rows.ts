import type { JobPlan, VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Database } from "../ports/index.ts";
import type { StoredOutputs } from "../videos/index.ts";
import type { Place } from "./places.ts";

/** What of a video's row is compared with its files. */
export type CheckedRow = {
	readonly id: string;
	readonly domain_id: string;
	readonly kind: "video" | "outro";
	readonly state: VideoState;
	readonly version: number;
	readonly plan: JobPlan;
	readonly outputs: StoredOutputs | null;
	readonly file_size: number;
	readonly updated_at: Date;
	readonly deleted_at: Date | null;
	/** Whether it lies in the place that is inspected. */
	readonly here: boolean;
	/** Whether a transcript is being made of it. */
	readonly transcribing: boolean;
	/** Whether it is cut of another video, so that nothing was uploaded for it. */
	readonly clip: boolean;
	/** Whether a poster is being made of it. */
	readonly picturing: boolean;
};

export const mostRows = 500;

const columns = (place: Place) => sql`
	v.id, v.domain_id, v.kind, v.state, v.version, v.plan, v.outputs, v.file_size, v.updated_at, v.deleted_at, ${place.holds(sql`v.storage_profile_id`)} as here,
	exists (select from reelmill.transcriptions t where t.video_id = v.id) as transcribing,
	exists (select from reelmill.clips k where k.video_id = v.id) as clip,
	exists (select from reelmill.posters t where t.video_id = v.id) as picturing`;

const nobody = "00000000-0000-0000-0000-000000000000";
const pairOf = (folder: string) => {
	const [domainId = nobody, videoId = nobody] = folder === "" ? [] : folder.split("/");
	return sql`(${domainId}::uuid, ${videoId}::uuid)`;
};

/**
 * Returns rows in the place that name outputs, of folders after `after` up to `last` (`null`: all), at most `most`
 * (default: {@link mostRows}), in the order of their folders.
 */
export function rowsWithOutputs(
	database: Database,
	place: Place,
	{ after, last, most = mostRows }: { after: string; last: string | null; most?: number },
): Promise<CheckedRow[]> {
	return database.query<CheckedRow>(sql`
		select ${columns(place)} from reelmill.videos v
		where v.outputs is not null and v.deleted_at is null and ${place.holds(sql`v.storage_profile_id`)}
			and ${place.domainId === null ? sql`true` : sql`v.domain_id = ${place.domainId}`}
			and (v.domain_id, v.id) > ${pairOf(after)} and ${last === null ? sql`true` : sql`(v.domain_id, v.id) <= ${pairOf(last)}`}
		order by v.domain_id, v.id limit ${most}`);
}

/** Returns the rows of these ids, in any state and place. */
export function rowsOf(database: Database, place: Place, ids: readonly string[]): Promise<CheckedRow[]> {
	return ids.length === 0
		? Promise.resolve([])
		: database.query<CheckedRow>(sql`select ${columns(place)} from reelmill.videos v where v.id = any(${ids}::uuid[])`);
}

/**
 * Returns whether something is kept for somebody who may want it back: it is noted to be deleted later than a day from
 * now.
 */
export const isKept = ({ not_before }: Note, now: Date): boolean =>
	(not_before?.getTime() ?? 0) > now.getTime() + 86_400_000;

export type Note = { readonly reference: string; readonly not_before: Date | null };

/**
 * Returns what is noted to be deleted of the place, of this kind, with references from the first to before the second.
 */
export function notesBetween(
	database: Database,
	place: Place,
	kind: "upload" | "outputs",
	[from, to]: readonly [string, string],
): Promise<Note[]> {
	return database.query<Note>(sql`
		select n.reference, max(coalesce(n.not_before, n.created_at)) as not_before from reelmill.deletions n
		where n.kind = ${kind} and ${place.holds(sql`n.storage_profile_id`)} and n.reference collate "C" >= ${from} and n.reference collate "C" < ${to}
		group by n.reference`);
}
