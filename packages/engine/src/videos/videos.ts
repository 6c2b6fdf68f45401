import {
	type CreatedVideo,
	type CreateVideo,
	ReelmillError,
	type Video,
	type VideoReport,
	type Visibility,
} from "@reelmill/contracts";
import { type Actor, engineActor } from "../audit/index.ts";
import type { Pages } from "../cursors/index.ts";
import type { CreationOptions } from "../idempotency/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { TokenFamily } from "../secrets/index.ts";
import type { PlatformLocation, Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { auditedFor } from "./audited-for.ts";
import { type CountVideos, createCountVideos } from "./counts.ts";
import { createFrames, type Frames } from "./frames.ts";
import { createInitiate, type Initiate, type InitiateOptions } from "./initiate.ts";
import { createListVideos, type ListVideos } from "./list.ts";
import type { VideoRecord } from "./record.ts";
import { removal } from "./removal.ts";
import { warningsOf } from "./report-warnings.ts";
import { createFindReserved, createReserve, type FindReserved, type Reserve, type ReserveOptions } from "./reserve.ts";
import type { Discard } from "./save.ts";
import { undeletableStates } from "./state-machine.ts";
import { createVideoStore, type Saved, type Step, type VideoStore } from "./store.ts";
import { createTimeline, type ReadTimeline } from "./timeline.ts";
import { createTickets, type UploadClaims } from "./upload-ticket.ts";
import { createFileUrl, type FileUrl, viewShown, viewVideo } from "./view.ts";

/** The tenants' videos: created, read, changed, cancelled, deleted. */
export type Videos = {
	/**
	 * Initiates an upload: creates the video in `pending_upload`, and a tus ticket for it alone. Called again with the
	 * same `idempotencyKey`, also at once, it creates nothing and returns the same.
	 *
	 * @throws {ReelmillError} in this order: `validation_error` for another request's key, `invalid_content_type`,
	 * `file_too_large`, `duration_too_long`, `concurrent_upload_exists`, `too_many_incomplete_uploads`,
	 * `outro_not_found`, `outro_not_ready`.
	 */
	create(principal: TenantPrincipal, input: CreateVideo, options?: CreationOptions): Promise<CreatedVideo>;
	/**
	 * Lists the videos that the principal may see, without deleted ones, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` for a limit that is not from 1 to 100.
	 */
	readonly list: ListVideos;
	/** Counts the videos that the principal may see, without deleted ones, by state: at most 10,000 of each. */
	readonly count: CountVideos;
	/**
	 * Returns what happened to a video, and when.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
	 */
	readonly timeline: ReadTimeline;
	/**
	 * Returns the video.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
	 */
	get(principal: TenantPrincipal, id: string): Promise<Video>;
	/**
	 * Returns how a video was processed, as its worker told; `null` until it is available, or failed because of its
	 * source.
	 *
	 * @throws {ReelmillError} `video_not_found`, for another tenant's video too.
	 */
	report(principal: TenantPrincipal, id: string): Promise<VideoReport>;
	/**
	 * Cancels a video that has not ended; the upload's bytes are gone when it resolves.
	 *
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video has ended, also on the second call.
	 */
	cancel(principal: TenantPrincipal, id: string, by?: Actor): Promise<Video>;
	/**
	 * Deletes a video. A video in flight is cancelled first.
	 *
	 * @throws {ReelmillError} `video_not_found`, also on the second call; `video_not_deletable`.
	 */
	delete(principal: TenantPrincipal, id: string, by?: Actor): Promise<void>;
	/**
	 * Sets who may watch the video. The delivery planes of all servers follow within 10 s.
	 *
	 * @throws {ReelmillError} `video_not_found`.
	 */
	setVisibility(principal: TenantPrincipal, id: string, visibility: Visibility, by?: Actor): Promise<Video>;
};

/**
 * Called after a change of a video was committed: bytes are to be deleted, events sent, a processing slot may be free,
 * a descriptor has to be forgotten.
 */
export type AfterChange = (change: {
	readonly record: VideoRecord;
	readonly discards: readonly Discard[];
	readonly eventTold: boolean;
}) => Promise<void>;

/** The videos, with what the engine's other parts need of them. */
export type VideosNoun = Videos & {
	readonly create: Initiate;
	readonly frames: Frames;
	readonly store: VideoStore;
	readonly reserve: Reserve;
	readonly findReserved: FindReserved;
	readonly fileUrl: FileUrl;
};

/** Assembles the store of videos, their initiation and their frames. */
export function createVideos(
	parts: Parts,
	{
		stores,
		locations,
		pages,
		webhookAttempts,
		keepFailedSeconds,
		afterChange,
		...options
	}: Omit<InitiateOptions, "clock" | "random" | "tracer" | "fileUrl" | "reserve" | "findReserved"> &
		Omit<ReserveOptions, "database" | "clock" | "ticketOf"> & {
			uploadTokens: TokenFamily<UploadClaims>;
			baseUrl: string;
			stores: Stores;
			locations: readonly PlatformLocation[];
			pages: Pages;
			webhookAttempts: number;
			keepFailedSeconds: number;
			afterChange: AfterChange;
		},
): VideosNoun {
	const { clock } = parts;
	const fileUrl = createFileUrl({ baseUrl: options.baseUrl, locations });
	const store = createVideoStore(parts, { fileUrl, webhookAttempts, keepFailedSeconds });
	const ticketOf = createTickets(options);
	const reserve = createReserve({ ...parts, ...options, ticketOf });
	const findReserved = createFindReserved({ ...parts, ticketOf });
	const view = (record: VideoRecord) => viewVideo(record, fileUrl);
	const change = async (
		principal: TenantPrincipal,
		id: string,
		step: (record: VideoRecord) => Step | null,
	): Promise<Saved> => {
		const saved = await store.change(id, step, principal);
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		return saved;
	};

	return {
		frames: createFrames(parts, { store, stores }),
		store,
		reserve,
		findReserved,
		fileUrl,
		create: createInitiate({ ...parts, ...options, fileUrl, reserve, findReserved }),
		list: createListVideos(parts, { fileUrl, pages }),
		count: createCountVideos(parts),
		timeline: createTimeline(store),
		async get(principal, id) {
			const record = await store.findShown(id, principal);
			if (record === null) throw new ReelmillError("video_not_found");
			return viewShown(record, fileUrl);
		},
		async report(principal, id) {
			const record = await store.find(id, principal);
			if (record === null) throw new ReelmillError("video_not_found");
			const report = record.report as VideoReport["report"];
			return { video_id: record.id, warnings: warningsOf(report), report };
		},
		async cancel(principal, id, by = engineActor) {
			const audited = auditedFor(principal, "video.cancelled", by);
			return view((await change(principal, id, () => ({ command: { type: "cancel" }, ...audited }))).record);
		},
		async delete(principal, id, by = engineActor) {
			const audited = auditedFor(principal, "video.deleted", by);
			await change(principal, id, (record) => {
				if ((undeletableStates as readonly string[]).includes(record.state))
					throw new ReelmillError("video_not_deletable");
				return { ...removal(record, new Date(clock.now())), ...audited };
			});
		},
		async setVisibility(principal, id, visibility, by = engineActor) {
			const audited = auditedFor(principal, "video.visibility_changed", by);
			const saved = await change(principal, id, (record) =>
				record.visibility === visibility ? null : { changes: { visibility }, ...audited },
			);
			return view(saved.record);
		},
	};
}
