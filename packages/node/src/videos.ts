import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { CreatedVideo, Video, VideoState, Visibility } from "@reelmill/contracts";
import { type UploadInput, type UploadOptions, type UploadSource, upload } from "./upload.ts";
import { type WaitOptions, wait } from "./wait.ts";

export type { CallOptions } from "@reelmill/client";
export type ListOptions = CallOptions & {
	state?: VideoState;
	/** Videos fetched at a time, 1..100; 20 unless told. The iteration goes on to the end whatever it is. */
	pageSize?: number;
};

export type Videos = {
	/**
	 * Initiates an upload: the answer's `upload` goes to the end user's device, which sends the bytes.
	 * Not repeated by itself when its answer was lost, since the video may exist.
	 */
	create(input: CallInput<"createVideo">["body"], options?: CallOptions): Promise<CreatedVideo>;
	get(id: string, options?: CallOptions): Promise<Video>;
	/** Every video, newest first; pages are fetched as the iteration reaches them. */
	list(options?: ListOptions): AsyncIterableIterator<Video>;
	/** Gone from the API at once and from delivery within 5 s. A second time it is `video_not_found`. */
	delete(id: string, options?: CallOptions): Promise<void>;
	/** `invalid_state` where the video's state is terminal already. */
	cancel(id: string, options?: CallOptions): Promise<Video>;
	/** Takes effect on the delivery plane within 60 s. */
	setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<Video>;
	/**
	 * Creates a video and sends its bytes from here: a file's path, a Blob, or a Readable with `file_size` in the input.
	 * Interruptions are resumed at the offset reached. Gives the video as it is when all bytes are in; see `wait` for what comes after.
	 * When it is aborted or fails, the video stays `pending_upload` until it expires or is cancelled.
	 */
	upload(source: UploadSource, input?: UploadInput, options?: UploadOptions): Promise<Video>;
	/**
	 * Polls until the video is available, failed, timeout, expired or cancelled, and gives it: look at its `state`.
	 * It outlives outages of the service; only an answer that is final (`video_not_found`, `unauthorized`) or the signal ends it early.
	 */
	wait(id: string, options?: WaitOptions): Promise<Video>;
};

export function createVideos(client: Client): Videos {
	return {
		create: (body, options) => client.call("createVideo", { body }, options),
		get: (id, options) => client.call("getVideo", { params: { id } }, options),
		async *list({ state, pageSize, signal } = {}) {
			let cursor: string | undefined;
			do {
				const query = { ...(state ? { state } : {}), ...(pageSize ? { limit: pageSize } : {}), ...(cursor ? { cursor } : {}) };
				const page = await client.call("listVideos", { query }, signal ? { signal } : {});
				yield* page.data;
				cursor = page.next_cursor ?? undefined;
			} while (cursor !== undefined);
		},
		delete: async (id, options) => void (await client.call("deleteVideo", { params: { id } }, options)),
		cancel: (id, options) => client.call("cancelVideo", { params: { id } }, options),
		setVisibility: (id, visibility, options) => client.call("updateVideoVisibility", { params: { id }, body: { visibility } }, options),
		upload: (source, input = {}, options = {}) => upload(client, source, input, options),
		wait: (id, options = {}) => wait(client, id, options),
	};
}
