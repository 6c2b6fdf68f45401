import type {
	CaptionKind,
	CaptionSource,
	FailureReason,
	HeartbeatRequest,
	JobPlan,
	PosterFailure,
	Rendition,
	TranscriptStatus,
	VideoState,
	Visibility,
} from "@reelmill/contracts";
import sql, { join, raw, type Sql } from "sql-template-tag";
import type { PublicPlace } from "../storage/index.ts";
import { isProcessing } from "./state-machine.ts";

/** A video's finished files: where they lie, and each one's size in bytes, by its path on the delivery plane. */
export type StoredOutputs = {
	readonly prefix: string;
	readonly files: Readonly<Record<string, number>>;
	readonly renditions: readonly Rendition[];
	readonly web_mp4_outro_id: string | null;
	/**
	 * Files that came after the video was available, by path, with the folder that each lies in, since `prefix` is
	 * written once.
	 */
	readonly added?: Readonly<Record<string, string>>;
	/**
	 * Sums that the row itself keeps: SHA-256 in hexadecimal by path. They are that of the file of sums, which lies under
	 * `prefix`, has the sums of all files there, and is none of `files`; and those of files that were added. Outputs of an
	 * earlier version have none.
	 */
	readonly sums?: Readonly<Record<string, string>>;
	/** How often finished files were changed. Addresses of changed files carry it, and copies are made anew for it. */
	readonly edit?: number;
	/** The captions that players are offered, in their order, since they were changed for the first time. */
	readonly captions?: readonly StoredCaptions[];
	/** The picture that the tenant chose, since they did for the first time. */
	readonly poster?: StoredPoster;
};

/** What became of the poster that the tenant asked for last. */
export type StoredPoster = {
	readonly source: "frame" | "picture";
	/** Of a frame, its moment. */
	readonly at_seconds: number | null;
	/** Why it could not be made, if so. */
	readonly failure?: PosterFailure;
	/** The sizes of the pictures in `prefix` that others took the place of, by path. */
	readonly first: Readonly<Record<string, number>>;
};

/** A track of captions of a finished video. */
export type StoredCaptions = {
	readonly path: string;
	/** The shortest tag of RFC 5646; `null` if it isn't known. */
	readonly language: string | null;
	/** What the source or the tenant calls it; `null` for its language's name. */
	readonly title: string | null;
	readonly kind: CaptionKind;
	readonly tells_sounds: boolean;
	readonly is_forced: boolean;
	readonly source: CaptionSource;
	/** Whether `transcript.vtt` has the same cues. */
	readonly is_transcript: boolean;
};

/** Returns whether a file came after the video was available. */
export const isAdded = ({ added }: Pick<StoredOutputs, "added">, path: string): boolean =>
	added !== undefined && Object.hasOwn(added, path);

/**
 * Returns whether a publication has the file. One that began before the first edit has none of those that came after the
 * video was available.
 */
export const isCopied = (outputs: Pick<StoredOutputs, "added" | "edit">, path: string): boolean =>
	!isAdded(outputs, path) || outputs.edit !== undefined;

/** Returns the folder of a finished file. The file's key is that folder and its path. */
export const folderOf = ({ prefix, added }: Pick<StoredOutputs, "prefix" | "added">, path: string): string =>
	added?.[path] ?? prefix;

/** Returns the smallest finished file that has the video's sound; `null` if nothing that plays was made. */
export const soundFile = ({ files }: Pick<StoredOutputs, "files">): string | null =>
	["media/audio.m4a", "web.mp4", ...Object.keys(files).filter((path) => path.startsWith("media/"))].find(
		(path) => path in files,
	) ?? null;

/** The pictures that a tenant can choose. */
export const posterFiles = ["poster.jpg", "og.jpg", "preview.webp"] as const;

/** Returns the key of the picture that was sent for a poster. */
export const sentPicture = ({ domain_id, id }: Pick<VideoRecord, "domain_id" | "id">, posterId: string): string =>
	`${domain_id}/${id}/posters/${posterId}/picture`;

const rank = (path: string): number => {
	const [, codec, height] = /^media\/(h264|av1)_(\d+)\.mp4$/.exec(path) ?? [];
	return height === undefined ? 0 : 2 * Number(height) + Number(codec === "h264");
};
/** Returns the finished file with the best picture: a rendition of its own, or else the MP4; `null` if there is none. */
export function pictureFile({ files }: Pick<StoredOutputs, "files">): string | null {
	const [best] = Object.keys(files).sort((one, other) => rank(other) - rank(one));
	if (best !== undefined && rank(best) > 0) return best;
	return "web.mp4" in files ? "web.mp4" : null;
}

/** A move of a video as `reelmill.refuse_unlisted_move` notes it. Times are text. */
type NotedMove = { readonly state: VideoState; readonly at: string; readonly worker: string | null };

/**
 * A row of `reelmill.videos` with its job, if it has one. Its keys are the names of the columns: see
 * docs/decisions/engine-structure.md.
 */
export type VideoRecord = {
	readonly id: string;
	/** The asset of an outro is a row like a video's, but no video operation finds it. */
	readonly kind: "video" | "outro";
	readonly domain_id: string;
	/** The sandbox session that made it, or `null`. */
	readonly session_id: string | null;
	readonly state: VideoState;
	readonly version: number;
	readonly visibility: Visibility;
	readonly content_type: string;
	readonly file_size: number;
	readonly duration_seconds: number | null;
	readonly width: number | null;
	readonly height: number | null;
	readonly external_ref: string | null;
	readonly uploader_ref: string | null;
	readonly outro_id: string | null;
	readonly plan: JobPlan;
	readonly max_duration_seconds: number;
	readonly transcript_status: TranscriptStatus;
	readonly language: string | null;
	readonly outputs: StoredOutputs | null;
	readonly report: unknown;
	readonly failure_reason: FailureReason | null;
	/** How far it had come when its job ended, in percent. */
	readonly progress: number;
	readonly created_at: Date;
	readonly updated_at: Date;
	readonly expires_at: Date;
	/** When bytes of its upload came first; `null` where the server that knew was gone before the upload was whole. */
	readonly first_byte_at: Date | null;
	readonly uploaded_at: Date | null;
	readonly available_at: Date | null;
	readonly deleted_at: Date | null;
	/** The states that it came to after the first. The database notes them. */
	readonly moves: readonly NotedMove[];
	/**
	 * Where its bytes are: a profile of its domain, or `null` for the local disk. Pinned when the upload was initiated.
	 */
	readonly storage_profile_id: string | null;
	/** The part of that profile that its public addresses depend on. */
	readonly public_place: PublicPlace | null;
	/** The W3C trace context of the request that made it; `null` if that request was not traced. */
	readonly traceparent: string | null;
	/** The id of the request that made it, or had it processed anew; `null` if there was none. */
	readonly request_id: string | null;
	readonly job: JobRecord | null;
};

/** The part of a job that decisions need. It is `to_jsonb` of the row, so times are text. */
export type JobRecord = {
	/** The number of its last attempt. */
	readonly attempt: number;
	/** How many attempts ended because their worker stopped, was lost, or was at fault itself. */
	readonly losses: number;
	/** How many workers in a row were lost before anything was finished that another attempt keeps. */
	readonly fruitless: number;
	/** The workers that gave it back because they were at fault themselves: one entry for each time. */
	readonly given_back_by: readonly string[];
	readonly progress: number;
	readonly lock: string | null;
	readonly lock_expires_at: string | null;
	readonly started_at: string | null;
	readonly waiting_since: string;
	readonly delivery: string | null;
	/** Whether an attempt offered chunks. */
	readonly chunked: boolean;
	/** What can be played of the attempt before it is done. */
	readonly playable: Pick<StoredOutputs, "prefix" | "files"> | null;
	/** When the last attempt was claimed; `null` before the first. */
	readonly claimed_at: string | null;
	/** What the last heartbeat told of the encodes. */
	readonly encodes: NonNullable<HeartbeatRequest["encodes"]> | null;
};

/** Returns the bytes that a pending upload reserves of its domain's quotas. */
export const reservedBytes = ({ state, deleted_at, file_size }: VideoRecord): number =>
	state === "pending_upload" && deleted_at === null ? file_size : 0;

/** Returns the bytes of finished files. */
export const bytesIn = ({ files }: Pick<StoredOutputs, "files">): number =>
	Object.values(files).reduce((sum, size) => sum + size, 0);

/** Returns the bytes that are stored for a video: its raw upload until it is available, then its outputs. */
export function storedBytes({ state, deleted_at, file_size, outputs }: VideoRecord): number {
	if (deleted_at !== null) return 0;
	if (state === "available") return outputs === null ? 0 : bytesIn(outputs);
	return state === "uploaded" || isProcessing(state) ? file_size : 0;
}

/** Returns whether anyone may watch what there is of the video, as `reelmill.is_public` does for its row. */
export const isPublic = ({ kind, visibility, outputs, deleted_at }: VideoRecord): boolean =>
	kind === "video" && visibility === "public" && outputs !== null && deleted_at === null;

/** Returns the folder of one attempt's outputs. A stalled worker can't change what another attempt stored. */
export const attemptPrefix = (domainId: string, videoId: string, lock: string): string =>
	`${domainId}/${videoId}/${lock}/`;

/**
 * Returns the folder for the chunks of a video. It lies apart from its outputs, is never served, and is removed as a
 * whole when the job ends.
 */
export const chunksPrefix = (domainId: string, videoId: string): string => `${domainId}/${videoId}/chunks/`;

/**
 * SQL: the folder of chunk `c`, a row of `reelmill.chunks`. A finished chunk that a later attempt took over stays in
 * the folder of the attempt that offered it.
 */
export const chunkFolder = (c: Sql): Sql =>
	sql`coalesce(substring(${c}.prefix from '^[^/]+/[^/]+/chunks/[^/]+/[^/]+/'), concat(${c}.domain_id, '/', ${c}.video_id, '/chunks/', ${c}.parent_lock, '/', ${c}.id, '/'))`;

/**
 * What the view of a video is made of. Reports, moves, plans and the sizes of files are larger than all of it, so
 * `files` names those files that the view links to, each if it is there.
 */
export type ShownRecord = Pick<VideoRecord, (typeof shownColumns)[number] | "public_place"> & {
	readonly [T in (typeof shownTimes)[number]]: VideoRecord[T] | string;
} & {
	readonly outputs: Omit<StoredOutputs, "files" | "captions"> | null;
	readonly files: readonly string[];
	readonly job: Pick<JobRecord, "progress"> | null;
};
/** A row of `selectShown`. One JSON text is read in half the time that its columns take. */
export type ShownRow = { readonly shown: string };
export const readShown = ({ shown }: ShownRow): ShownRecord => JSON.parse(shown) as ShownRecord;

const shownColumns = [
	"id",
	"kind",
	"domain_id",
	"session_id",
	"state",
	"visibility",
	"content_type",
	"file_size",
	"duration_seconds",
	"width",
	"height",
	"external_ref",
	"uploader_ref",
	"outro_id",
	"transcript_status",
	"failure_reason",
	"progress",
] as const satisfies readonly (keyof VideoRecord)[];
const shownTimes = [
	"created_at",
	"updated_at",
	"expires_at",
	"uploaded_at",
	"available_at",
] as const satisfies readonly (keyof VideoRecord)[];

/** The files that a video's view links to, each if it is there. */
export const shownFiles = {
	hls_url: "hls/master.m3u8",
	dash_url: "dash/manifest.mpd",
	mp4_url: "web.mp4",
	thumbnail_url: "og.jpg",
	poster_url: "poster.jpg",
	storyboard_url: "storyboard.vtt",
	chapters_url: "chapters.vtt",
	transcript_url: "transcript.vtt",
} as const;
const publicPlace = sql`
	case when p.id is not null then jsonb_build_object('location_id', p.location_id, 'public_base_url', p.public_base_url, 'key_prefix', p.key_prefix,
		'publication', (select b.id from reelmill.publications b where b.video_id = v.id and b.copied_at is not null)) end`;

/** SQL: reads records of `videos v`, a table or the rows of one. */
export const selectRecords = (videos: Sql): Sql => sql`
	select v.*, to_jsonb(j) as job, ${publicPlace} as public_place from ${videos} v
	left join reelmill.jobs j on j.id = v.id left join reelmill.storage_profiles p on p.id = v.storage_profile_id`;

const shown = sql`
	${raw(shownColumns.map((name) => `v.${name}`).join(", "))}, ${raw(shownTimes.map((name) => `v.${name} at time zone 'UTC' as ${name}`).join(", "))},
	v.outputs - '{files,captions}'::text[] as outputs, array[${join(Object.values(shownFiles).map((path) => sql`case when o.files -> ${raw(`'${path}'`)} is not null then ${raw(`'${path}'`)} end`))}] as files,
	case when v.state <> 'available' then (select jsonb_build_object('progress', j.progress) from reelmill.jobs j where j.id = v.id) end as job,
	case when v.storage_profile_id is not null then (select ${publicPlace} from reelmill.storage_profiles p where p.id = v.storage_profile_id) end as public_place`;

/** SQL: reads what is shown of the same as JSON, beside `columns`. The files of a video's outputs are taken out once. */
export const selectShown = (columns: Sql, videos: Sql): Sql => sql`
	select ${columns}, row_to_json(s)::text as shown from ${videos} v
	cross join lateral (select v.outputs -> 'files' as files offset 0) o cross join lateral (select ${shown}) s`;
