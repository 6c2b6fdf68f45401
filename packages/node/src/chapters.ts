import type { CallOptions, Client } from "@reelmill/client";
import type { Chapter, Chapters } from "@reelmill/contracts";

/** The chapters of available videos. */
export type ChaptersResource = {
	/**
	 * Returns a video's chapters: those of the uploaded file, or your own.
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available, as all calls here
	 */
	get(videoId: string, options?: CallOptions): Promise<Chapters>;
	/**
	 * Gives a video chapters, in order, in place of all that it has. Players show them within 60 s. Calling it twice
	 * changes nothing more.
	 * @throws {ReelmillError} `validation_error` when one doesn't begin after the one before, or within the video
	 */
	put(videoId: string, chapters: readonly Chapter[], options?: CallOptions): Promise<Chapters>;
	/**
	 * Takes a video's chapters away.
	 * @throws {ReelmillError} `not_found` when there are none, also on the second call
	 */
	delete(videoId: string, options?: CallOptions): Promise<void>;
};

export const createChapters = (client: Client): ChaptersResource => ({
	get: (id, options) => client.call("getVideoChapters", { params: { id } }, options),
	put: (id, chapters, options) =>
		client.call("putChapters", { params: { id }, body: { chapters: [...chapters] } }, options),
	delete: async (id, options) => void (await client.call("deleteChapters", { params: { id } }, options)),
});
