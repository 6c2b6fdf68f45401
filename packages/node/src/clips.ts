import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { Clip } from "@reelmill/contracts";
import { callOf, type Listed, listed, type Page, type PageOptions, pageQuery } from "./pages.ts";

/** Videos that are cut out of available ones. */
export type Clips = {
	/**
	 * Makes a video of a stretch of an available one, which is not encoded again, and returns it while it waits for a
	 * worker: `videos.wait` waits for it. It is retried as safely as `videos.create`.
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available; `validation_error` when the
	 * stretch isn't within it, or is shorter than half a second
	 */
	create(videoId: string, input: CallInput<"createClip">["body"], options?: CallOptions): Promise<Clip>;
	/** Yields the clips of a video, newest first. Each page is fetched when the iteration reaches it. */
	list(videoId: string, options?: Parameters<Listed<Clip>["list"]>[0]): AsyncIterableIterator<Clip>;
	/** Returns one page of the clips of a video, newest first. */
	page(videoId: string, options?: PageOptions): Promise<Page<Clip>>;
};

export function createClips(client: Client): Clips {
	const page: Clips["page"] = (id, options = {}) =>
		client.call("listClips", { params: { id }, query: pageQuery(options) }, callOf(options));
	return {
		create: (id, body, options) => client.call("createClip", { params: { id }, body }, options),
		list: (id, options) => listed<Clip, unknown>((asked) => page(id, asked)).list(options),
		page,
	};
}
