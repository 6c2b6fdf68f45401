import { type Poster, ReelmillError } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import { type Actor, engineActor } from "../audit/index.ts";
import { type Edits, editedOutputs, entriesOf, type FinishedVideo, replacedFiles } from "../edits/index.ts";
import { latePosters, noteAttempts, type StoreArchive } from "../jobs/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import {
	type AfterChange,
	auditedFor,
	type FileUrl,
	isAdded,
	posterFiles,
	type Step,
	sentPicture,
	type VideoStore,
} from "../videos/index.ts";
import { readPicture } from "./read-picture.ts";

/** A frame of the video, or the bytes of a picture. */
export type PosterInput = { readonly at_seconds: number; readonly preview: boolean } | Uint8Array<ArrayBuffer>;

/** The pictures that stand for finished videos: those that the transcoder chose, or the tenant. */
export type Posters = {
	/**
	 * Returns where the video's pictures come from, and what becomes of those that were asked for.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available.
	 */
	get(principal: TenantPrincipal, videoId: string): Promise<Poster>;
	/**
	 * Asks for pictures, which a worker makes. It takes the place of a call before, also of one whose pictures are being
	 * made; of two at once, the last one stays. A picture is stored until the worker is done with it.
	 *
	 * @throws {ReelmillError} as `get`; `validation_error` when the moment is after the video's end, or the file is no
	 * picture that can be taken: then nothing is stored; `storage_backend_unsupported` when workers can't read what is
	 * stored; `storage_unavailable`.
	 */
	put(principal: TenantPrincipal, videoId: string, input: PosterInput, by?: Actor): Promise<Poster>;
	/**
	 * Goes back to the pictures that the transcoder chose, and gives up what is being made.
	 *
	 * @throws {ReelmillError} as `get`; `not_found` when nothing was asked for, also on the second call.
	 */
	delete(principal: TenantPrincipal, videoId: string, by?: Actor): Promise<void>;
};

/** What is asked for and not made yet. */
type Asked = { readonly at_seconds: number | null };

const noLongerAvailable = () =>
	new ReelmillError("invalid_state", { message: "The video changed meanwhile: only an available one can be edited." });

export function createPosters(
	{ database, clock, random }: Parts,
	{
		edits,
		store,
		stores,
		storeFolder,
		afterChange,
		fileUrl,
		onRequested,
	}: {
		edits: Edits;
		store: VideoStore;
		stores: Stores;
		storeFolder: StoreArchive;
		afterChange: AfterChange;
		fileUrl: FileUrl;
		/** Called after pictures were asked for. */
		onRequested: () => void;
	},
): Posters {
	const askedFor = async (videoId: string): Promise<Asked | null> => {
		const [row] = await database.query<Asked>(sql`select at_seconds from reelmill.posters where video_id = ${videoId}`);
		return row ?? null;
	};
	const view = (record: FinishedVideo, asked: Asked | null): Poster => {
		const { files, poster } = record.outputs;
		const [posterPath, thumbnailPath, previewPath] = posterFiles;
		const url = (path: string) => (Object.hasOwn(files, path) ? fileUrl(record, path) : null);
		const at = asked === null ? (poster?.at_seconds ?? null) : asked.at_seconds;
		const failure = asked === null ? (poster?.failure ?? null) : null;
		const ended = poster === undefined ? "automatic" : failure === null ? "available" : "failed";
		return {
			state: asked === null ? ended : "pending",
			source: asked === null ? (poster?.source ?? null) : asked.at_seconds === null ? "picture" : "frame",
			at_seconds: at,
			failure_reason: failure,
			poster_url: url(posterPath),
			thumbnail_url: url(thumbnailPath),
			preview_url: url(previewPath),
		};
	};
	/** SQL: part `ended`, which ends what is being made of the video that is saved, and notes what it stored. */
	const ended = (now: Date): Sql[] => [
		sql`ended as (delete from reelmill.posters t using saved where t.video_id = saved.id returning t.*)`,
		noteAttempts(latePosters, sql`ended`, now, { given: true }),
	];
	/** Saves a step of an available video, whatever version it has by now. */
	const save = async (principal: TenantPrincipal, videoId: string, step: (record: FinishedVideo) => Step) => {
		const saved = await store.change(
			videoId,
			(record) => {
				const { state, outputs } = record;
				if (state !== "available" || outputs === null) throw noLongerAvailable();
				return step({ ...record, outputs });
			},
			principal,
		);
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		return saved.record as FinishedVideo;
	};
	return {
		async get(principal, videoId) {
			// Read first: what ends between the two is told as pending once more, and never as the one before.
			const asked = await askedFor(videoId);
			const { record } = await edits.find(principal, videoId);
			return view(record, asked);
		},
		async put(principal, videoId, input, by = engineActor) {
			const picture = input instanceof Uint8Array ? { ...readPicture(input), bytes: input } : null;
			const frame = input instanceof Uint8Array ? null : input;
			const { record } = await edits.find(principal, videoId);
			const seconds = record.duration_seconds;
			if (frame !== null && seconds !== null && frame.at_seconds >= seconds)
				throw new ReelmillError("validation_error", {
					message: `at_seconds: the video lasts ${seconds.toFixed(3)} s`,
				});
			const { presign, download } = (await stores.of(record.storage_profile_id)).outputs.capabilities;
			if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
			const id = random.uuid();
			const now = new Date(clock.now());
			const at = frame?.at_seconds ?? null;
			// What was asked for before is deleted first, because a video has one row at most.
			const asked = sql`asked as (
				insert into reelmill.posters (id, video_id, domain_id, at_seconds, preview, content_type, file_size, created_at, not_before)
				select ${id}::uuid, saved.id, ${record.domain_id}::uuid, ${at}::double precision, ${frame?.preview ?? false}::boolean, ${picture?.contentType ?? null}::text,
					${picture?.bytes.byteLength ?? null}::integer, ${now}::timestamptz, ${now}::timestamptz
				from saved left join ended on ended.video_id = saved.id returning id)`;
			const name = (unnoted?: Sql) =>
				save(principal, videoId, () => ({
					...auditedFor(principal, "video.poster_changed", by),
					parts: [
						...ended(now),
						asked,
						...(unnoted === undefined ? [] : [sql`named as (select id from asked)`, unnoted]),
					],
				}));
			const key = sentPicture(record, id);
			const prefix = key.slice(0, key.lastIndexOf("/") + 1);
			const files = picture && new Map([[key.slice(prefix.length), picture.bytes]]);
			const saved =
				files === null
					? await name()
					: await storeFolder({ prefix, profileId: record.storage_profile_id }, entriesOf(files), name);
			onRequested();
			return view(saved, { at_seconds: at });
		},
		async delete(principal, videoId, by = engineActor) {
			const asked = await askedFor(videoId);
			await edits.find(principal, videoId);
			const now = new Date(clock.now());
			await save(principal, videoId, ({ outputs: before }) => {
				if (before.poster === undefined && asked === null)
					throw new ReelmillError("not_found", { message: "The video has the poster that was chosen automatically." });
				const step = { ...auditedFor(principal, "video.poster_deleted", by), parts: ended(now) };
				const { poster, ...others } = before;
				const chosen = posterFiles.filter((path) => isAdded(before, path));
				if (chosen.length === 0) return { ...step, ...(poster !== undefined && { changes: { outputs: others } }) };
				const restored = poster?.first ?? {};
				const removed = chosen.filter((path) => !Object.hasOwn(restored, path));
				const outputs = editedOutputs(others, "", { files: new Map(), removed, restored });
				return { ...step, changes: { outputs }, updates: ["poster"], discards: replacedFiles(before, outputs) };
			});
		},
	};
}
