import { ReelmillError, type Video } from "@reelmill/contracts";
import sql from "sql-template-tag";
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

/** Longer than this function takes from its look at the notes to its change. */
const marginMilliseconds = 30_000;

/**
 * Queues a failed video anew, as if its upload had ended now.
 *
 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video neither failed nor is available;
 * `file_not_found` when its source is gone or about to be deleted, as an available video's always is.
 */
export type Reprocess = (id: string, by: Actor) => Promise<Video>;

export const createReprocess =
	({ database, clock }: Parts, { store, stores, fileUrl, afterChange }: ReprocessOptions): Reprocess =>
	async (id, by) => {
		/** A sweep that has read what is due deletes it somewhat later, whatever happens to the note meanwhile. */
		const isBeingDeleted = async (): Promise<boolean> => {
			const soon = new Date(clock.now() + marginMilliseconds);
			const notes = await database.query(sql`
				select from reelmill.deletions where kind = 'upload' and reference collate "C" = ${id} and (not_before is null or not_before <= ${soon})`);
			return notes.length > 0;
		};
		/** Nothing was uploaded for it. If what it is cut of is gone, it fails once more. */
		const isClip = async (): Promise<boolean> =>
			(await database.query(sql`select from reelmill.clips where video_id = ${id}`)).length > 0;
		const found = await store.find(id);
		if (found === null || found.kind !== "video") throw new ReelmillError("video_not_found");
		if (found.state === "available") throw new ReelmillError("file_not_found");
		if (found.state === "failed") {
			const { uploads } = await stores.of(found.storage_profile_id);
			if (!(await isClip()) && ((await isBeingDeleted()) || (await uploads.size(id)) !== found.file_size))
				throw new ReelmillError("file_not_found");
		}
		const saved = await store.change(id, () => ({
			command: { type: "reprocess" },
			changes: { uploaded_at: new Date(clock.now()), report: null, request_id: by.requestId },
			audited: { action: "video.reprocessed", by },
		}));
		if (saved === null) throw new ReelmillError("video_not_found");
		await afterChange(saved);
		const record = (await store.find(id)) ?? saved.record;
		return viewVideo(record, fileUrl);
	};
