import {
	type CreatedVideo,
	type CreateVideo,
	ReelmillError,
	type Video,
	type VideoReport,
	type Visibility,
} from "@reelmill/contracts";
import type { Pages } from "../cursors/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";
import { createInitiate, type InitiateOptions } from "./initiate.ts";
import { createListVideos, type ListVideos } from "./list.ts";
import { undeletableStates } from "./machine.ts";
import type { VideoRecord } from "./record.ts";
import { removal } from "./removal.ts";
import type { Discard } from "./save.ts";
import type { Saved, Step, VideoStore } from "./store.ts";
import { viewVideo } from "./view.ts";

export type Videos = {
	/**
	 * Initiates an upload: the video in `pending_upload`, and a tus ticket for it alone. Throws, in this order:
	 * `invalid_content_type`, `file_too_large`, `duration_too_long`, `concurrent_upload_exists`,
	 * `too_many_incomplete_uploads`, `outro_not_found`, `outro_not_ready`.
	 */
	create(principal: TenantPrincipal, input: CreateVideo): Promise<CreatedVideo>;
	/**
	 * The videos that the principal may see, deleted ones left out, newest first. Throws `invalid_cursor`, and
	 * `validation_error` for a limit out of 1 to 100.
	 */
	readonly list: ListVideos;
	/** The video, frozen: calls that come together share it. Throws `video_not_found`, for another tenant's video too. */
	get(principal: TenantPrincipal, id: string): Promise<Video>;
	/**
	 * How a video was processed, as its worker told; null until it is available, or failed for its source. Throws
	 * `video_not_found`, for another tenant's video too.
	 */
	report(principal: TenantPrincipal, id: string): Promise<VideoReport>;
	/**
	 * Cancels a video that isn't at its end; the upload's bytes are gone when it resolves. Throws `video_not_found`, and
	 * `invalid_state` at the end of its life (done twice, too).
	 */
	cancel(principal: TenantPrincipal, id: string): Promise<Video>;
	/**
	 * Deletes a video, and cancels it first where it is in flight. Throws `video_not_found` (done twice, too) and
	 * `video_not_deletable`.
	 */
	delete(principal: TenantPrincipal, id: string): Promise<void>;
	/** Throws `video_not_found`. The delivery planes of all servers follow within 10 s. */
	setVisibility(principal: TenantPrincipal, id: string, visibility: Visibility): Promise<Video>;
};

/**
 * Told after a change of a video was committed: bytes to delete, events to send, a processing slot that may be free, a
 * descriptor to forget.
 */
export type AfterChange = (change: {
	readonly record: VideoRecord;
	readonly discards: readonly Discard[];
	readonly eventTold: boolean;
}) => Promise<void>;

export function createVideos(
	parts: Parts,
	{
		store,
		afterChange,
		pages,
		...options
	}: Omit<InitiateOptions, "clock" | "random"> & {
		store: VideoStore;
		afterChange: AfterChange;
		pages: Pages;
	},
): Videos {
	const { clock } = parts;
	const view = (record: VideoRecord) => viewVideo(record, options.fileUrl);
	/** Calls that come together share what is read of a video, and what is shown of it. */
	const shown = new WeakMap<VideoRecord, Video>();
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
		create: createInitiate({ ...options, clock, random: parts.random }),
		list: createListVideos(parts, { fileUrl: options.fileUrl, pages }),
		async get(principal, id) {
			const record = await store.find(id, principal);
			if (record === null) throw new ReelmillError("video_not_found");
			const known = shown.get(record);
			if (known !== undefined) return known;
			const video = Object.freeze(view(record));
			shown.set(record, video);
			return video;
		},
		async report(principal, id) {
			const record = await store.find(id, principal);
			if (record === null) throw new ReelmillError("video_not_found");
			return { video_id: record.id, report: record.report as VideoReport["report"] };
		},
		async cancel(principal, id) {
			return view((await change(principal, id, () => ({ command: { type: "cancel" } }))).record);
		},
		async delete(principal, id) {
			await change(principal, id, (record) => {
				if ((undeletableStates as readonly string[]).includes(record.state))
					throw new ReelmillError("video_not_deletable");
				return removal(record, new Date(clock.now()));
			});
		},
		async setVisibility(principal, id, visibility) {
			return view(
				(
					await change(principal, id, (record) =>
						record.visibility === visibility ? null : { changes: { visibility } },
					)
				).record,
			);
		},
	};
}
