import type { Job } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { StoredOutputs } from "../../videos/index.ts";

/** What a claim reads of a clip. */
export type ClipRow = {
	readonly start_seconds: number;
	readonly end_seconds: number;
	/** How the video that it is cut of has its files now; null if that is gone. */
	readonly outputs: StoredOutputs | null;
	readonly language: string | null;
};

/** SQL: whether job `j` may be given out by now. That of a clip has a column of its own: see `reelmill.hide_clip`. */
export const isDue = (now: Date): Sql => sql`coalesce(j.clip_not_before, j.not_before) <= ${now}`;

/** SQL: the clip of this id as a {@link ClipRow}; null if it is none. */
export const clipOf = (id: Sql): Sql => sql`(
	select jsonb_build_object('start_seconds', k.start_seconds, 'end_seconds', k.end_seconds, 'outputs', s.outputs, 'language', s.language)
	from reelmill.clips k left join reelmill.videos s on s.id = k.source_video_id and s.deleted_at is null and s.state = 'available' where k.video_id = ${id})`;

/** SQL: one row if this job makes a clip whose video was changed since the job was claimed. */
export const isOutdated = (id: string, lock: string): Sql => sql`
	select from reelmill.jobs j join reelmill.clips k on k.video_id = j.id join reelmill.videos s on s.id = k.source_video_id
	where j.id = ${id} and j.lock = ${lock} and s.updated_at > j.claimed_at`;

/** Returns what the worker is told of a clip. */
export const jobOfClip = ({ outputs, ...clip }: ClipRow): NonNullable<Job["clip"]> => ({
	...clip,
	files: Object.entries(outputs?.files ?? {}).flatMap(([path, size]) => (isCut(path) ? [{ path, size }] : [])),
});

/**
 * Whether a clip is made of the file. Pictures but those of the storyboard are made anew, and what was playable early is
 * in the others.
 */
const isCut = (path: string): boolean =>
	path.startsWith("storyboard/") || !/^frames\/|(?:^|\/)opening_|\.(?:jpg|json)$/.test(path);
