import { type Clip, type CreateClip, type JobPlan, limits, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { PageRequest, Pages } from "../cursors/index.ts";
import type { Domains } from "../domains/index.ts";
import { type CreationOptions, repeatable } from "../idempotency/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { Parts } from "../system/index.ts";
import {
	type AfterChange,
	bytesIn,
	checkDeclaration,
	type FileUrl,
	type FindReserved,
	MadeOfChanged,
	newRecord,
	type Reserve,
	type Reserved,
	readShown,
	type ShownRow,
	type StoredOutputs,
	selectShown,
	type VideoRecord,
	type VideoStore,
	viewShown,
	viewVideo,
} from "../videos/index.ts";
import type { Windows } from "../windows.ts";

export type ClipPage = { data: Clip[]; next_cursor: string | null };

/** Videos that are cut out of finished ones. */
export type Clips = {
	/**
	 * Creates a video of a stretch of an available one. It waits for a worker at once, and counts for the quotas as a
	 * finished upload. Called again with the same `idempotencyKey`, also at once, it creates nothing and returns the same.
	 *
	 * @throws {ReelmillError} in this order: `validation_error` for another request's key; `video_not_found`, for another
	 * tenant's video too; `sandbox_not_allowed`; `invalid_state` when the video isn't available; `validation_error` when
	 * the stretch isn't within it, or is too short; `duration_too_long`, `upload_quota_exceeded`,
	 * `storage_quota_exceeded`, `outro_not_found`, `outro_not_ready`, `storage_unavailable`.
	 */
	create(
		principal: TenantPrincipal,
		videoId: string,
		input: CreateClip,
		by?: Actor,
		options?: CreationOptions,
	): Promise<Clip>;
	/**
	 * Lists the clips of a video, without deleted ones, newest first.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too; `invalid_cursor`; `validation_error` for a
	 * limit that is not from 1 to 100.
	 */
	list(principal: TenantPrincipal, videoId: string, request: PageRequest): Promise<ClipPage>;
};

export type ClipsOptions = Ceilings & {
	readonly store: VideoStore;
	readonly domains: Domains;
	readonly reserve: Reserve;
	readonly findReserved: FindReserved;
	readonly pages: Pages;
	readonly fileUrl: FileUrl;
	readonly windows: Pick<Windows, "pendingUpload">;
	readonly afterChange: AfterChange;
};

/** How often the video may change between its reading and the creation of its clip. */
const attempts = 20;
/** How much later than the video a clip may end: lengths are told in whole milliseconds. */
const marginSeconds = 0.001;
/** A clip takes no slot of the uploader and no place in the hourly limit: nobody uploads it. */
const unlimited = 2_147_483_647;

type Row = ShownRow & {
	readonly id: string;
	readonly source_video_id: string;
	readonly title: string | null;
	readonly start_seconds: number;
	readonly end_seconds: number;
	readonly created_at: Date;
};
type Finished = VideoRecord & { readonly outputs: StoredOutputs; readonly duration_seconds: number };

export function createClips(parts: Parts, options: ClipsOptions): Clips {
	const { database } = parts;
	const { store, domains, reserve, findReserved, pages, fileUrl, windows, afterChange } = options;

	const find = async (principal: TenantPrincipal, videoId: string): Promise<VideoRecord> => {
		const record = await store.find(videoId, principal);
		if (record === null) throw new ReelmillError("video_not_found");
		return record;
	};

	return {
		async create(principal, videoId, input, by = engineActor, creation = {}) {
			const { start_seconds, end_seconds } = input;
			const created = async (record: VideoRecord): Promise<Clip> => {
				const [titled] = await database.query<{ title: string }>(
					sql`select title from reelmill.video_titles where video_id = ${record.id}`,
				);
				return {
					video: viewVideo(record, fileUrl),
					source_video_id: videoId,
					title: titled?.title ?? null,
					...{ start_seconds, end_seconds },
					created_at: record.created_at.toISOString(),
				};
			};
			const asked = repeatable(principal, "createClip", { ...input, video_id: videoId }, creation);
			const before = await findReserved(asked);
			if (before !== null) return created(before.record);
			const reserveOf = async (source: VideoRecord) => {
				const isSandbox = principal.kind === "sandbox";
				if (isSandbox && (input.visibility !== undefined || input.outro_slug !== undefined))
					throw new ReelmillError("sandbox_not_allowed");
				const finished = mustBeFinished(source);
				checkStretch(input, finished.duration_seconds);
				const { config } = await domains.get(principal.domainId);
				const allowed = effectiveLimits(config, options, isSandbox);
				const seconds = end_seconds - start_seconds;
				const declared = {
					content_type: "video/mp4",
					file_size: Math.min(sizeOf(finished, seconds), allowed.max_file_bytes),
					duration_seconds: seconds,
				};
				checkDeclaration(declared, allowed);
				const record = newRecord(declared, {
					...parts,
					pendingUploadSeconds: windows.pendingUpload,
					domainId: principal.domainId,
					requestId: creation.requestId,
					plan: planOf(finished, config.moderation_frames),
					maxDurationSeconds: allowed.max_duration_seconds,
				});
				const wanted: VideoRecord = {
					...record,
					state: "uploaded",
					uploaded_at: record.created_at,
					session_id: principal.sessionId,
					visibility: input.visibility ?? source.visibility,
					external_ref: input.external_ref ?? null,
					// What is erased of a person, is erased of what was cut of it.
					uploader_ref: source.uploader_ref,
				};
				const rules = {
					...{ max_pending: unlimited, max_expired: unlimited, max_hourly: unlimited },
					...(input.outro_slug !== undefined && { outro_slug: input.outro_slug }),
				};
				const resource = { kind: "video", id: wanted.id } as const;
				const entry = { action: "clip.created", resource, domainId: principal.domainId } as const;
				return reserve(wanted, rules, {
					repeatable: asked,
					madeOf: sql`select uploader_ref from reelmill.videos where id = ${source.id} and version = ${source.version} and deleted_at is null for share`,
					parts: (took) => [
						clipPart(wanted, videoId, input, took),
						titlePart(wanted, videoId, input.title, took),
						// Nobody reads the log of sandbox sessions.
						...(isSandbox ? [] : [auditPart(parts, by, entry, took)]),
					],
				});
			};
			const attempt = async (left: number): Promise<Reserved> =>
				reserveOf(await find(principal, videoId)).catch((error: unknown) => {
					if (error instanceof MadeOfChanged && left > 0) return attempt(left - 1);
					throw error;
				});
			const reserved = await attempt(attempts);
			await afterChange({ record: reserved.record, discards: [], eventTold: false });
			return created(reserved.record);
		},
		async list(principal, videoId, request) {
			const { id } = await find(principal, videoId);
			const listing = { route: "listClips", scope: principal, filter: id } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<Row>(sql`
					with cut as (
						select * from (
							select k.video_id as id, k.source_video_id, k.start_seconds, k.end_seconds, k.created_at from reelmill.clips k join reelmill.videos v on v.id = k.video_id
							where k.source_video_id = ${id} and v.deleted_at is null) k where true ${keyset})
					${selectShown(sql`v.id, c.created_at, c.source_video_id, c.start_seconds, c.end_seconds, ${titleOf}`, sql`cut c cross join lateral (select * from reelmill.videos where id = c.id)`)}
					order by c.created_at desc, c.id desc`),
			);
			const data = rows.map(
				({ source_video_id, title, start_seconds, end_seconds, created_at, ...row }): Clip => ({
					video: viewShown(readShown(row), fileUrl),
					...{ source_video_id, title, start_seconds, end_seconds },
					created_at: created_at.toISOString(),
				}),
			);
			return { data, next_cursor: nextCursor };
		},
	};
}

function mustBeFinished(record: VideoRecord): Finished {
	const { state, outputs, duration_seconds } = record;
	if (state !== "available" || outputs === null || duration_seconds === null)
		throw new ReelmillError("invalid_state", {
			message: `Only an available video can be cut, and this one is ${state}.`,
		});
	return { ...record, outputs, duration_seconds };
}

/** Throws, with the name of the field, unless the stretch lies within the video. */
function checkStretch({ start_seconds: start, end_seconds: end }: CreateClip, seconds: number): void {
	const refused = (message: string) => new ReelmillError("validation_error", { message });
	if (start >= seconds) throw refused(`start_seconds: the video lasts ${seconds.toFixed(3)} s`);
	if (end > seconds + marginSeconds) throw refused(`end_seconds: the video lasts ${seconds.toFixed(3)} s`);
	const shortest = limits.shortestClipSeconds;
	if (end < start + shortest) throw refused(`end_seconds: must be at least ${shortest} s after start_seconds`);
}

/** Returns about how many bytes the clip will have: what the quotas count. */
const sizeOf = ({ outputs, duration_seconds }: Finished, seconds: number): number =>
	Math.max(1, Math.ceil((bytesIn(outputs) * seconds) / duration_seconds));

/** A clip has the kinds of files that its source has, and at most the renditions that its source was asked for. */
function planOf({ plan, outputs: { files } }: Finished, moderationFrames: boolean): JobPlan {
	const has = (path: string) => Object.hasOwn(files, path);
	return {
		...plan,
		outputs: {
			hls: has("hls/master.m3u8"),
			dash: has("dash/manifest.mpd"),
			mp4_fallback: has("web.mp4"),
			og_thumbnail: has("og.jpg"),
		},
		transcript: false,
		moderation_frames: moderationFrames,
		outro_id: null,
	};
}

/** SQL: the title of the video of a row. */
const titleOf = sql`(select t.title from reelmill.video_titles t where t.video_id = v.id) as title`;

const clipPart = ({ id, created_at }: VideoRecord, sourceId: string, stretch: CreateClip, took: Sql): Sql => sql`
	cut as (
		insert into reelmill.clips (video_id, source_video_id, start_seconds, end_seconds, created_at)
		select ${id}::uuid, ${sourceId}::uuid, ${stretch.start_seconds}::double precision, ${stretch.end_seconds}::double precision, ${created_at}::timestamptz
		where exists (select from ${took}))`;

/** Names the clip as its source, unless it is given a title, or `null` for none. */
const titlePart = (
	{ id, domain_id: domainId }: VideoRecord,
	sourceId: string,
	title: string | null | undefined,
	took: Sql,
): Sql => sql`
	titled as (
		insert into reelmill.video_titles (video_id, domain_id, title)
		select ${id}::uuid, ${domainId}::uuid, t.title from (
			${title === undefined ? sql`select s.title from reelmill.video_titles s where s.video_id = ${sourceId}` : sql`select ${title}::text as title`}) t
		where t.title is not null and exists (select from ${took}))`;
