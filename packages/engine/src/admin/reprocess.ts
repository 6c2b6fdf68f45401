import { ReelmillError, type Video } from "@reelmill/contracts";
import type { Actor } from "../audit/index.ts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { type AfterChange, type FileUrl, type VideoStore, viewVideo } from "../videos/index.ts";

export type ReprocessOptions = {
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly fileUrl: FileUrl;
	readonly afterChange: AfterChange;
};

/**
 * Queues a failed video anew, as if its upload had ended now.
 *
 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video neither failed nor is available;
 * `file_not_found` when its source is gone, as an available video's always is.
 */
export type Reprocess = (id: string, by: Actor) => Promise<Video>;

export const createReprocess =
	({ clock }: Parts, { store, stores, fileUrl, afterChange }: ReprocessOptions): Reprocess =>
	async (id, by) => {
		const found = await store.find(id);
		if (found === null || found.kind !== "video") throw new ReelmillError("video_not_found");
		if (found.state === "available") throw new ReelmillError("file_not_found");
		if (found.state === "failed") {
			const { uploads } = await stores.of(found.storage_profile_id);
			if ((await uploads.size(id)) !== found.file_size) throw new ReelmillError("file_not_found");
		}
		const saved = await store.change(id, () => ({
			command: { type: "reprocess" },
			changes: { uploaded_at: new Date(clock.now()), report: null },
			audited: { action: "video.reprocessed", by },
		}));
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		const record = (await store.find(id)) ?? saved.record;
		return viewVideo(record, fileUrl);
	};
