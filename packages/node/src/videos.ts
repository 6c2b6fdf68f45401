import type { CallOptions, Client } from "@reelmill/client";
import type { CreatedVideo, Transcript, Video, VideoReport, VideoState, Visibility } from "@reelmill/contracts";
import { createInitiateOrResume, type InitiatedVideo, type InitiateOptions } from "./initiate-or-resume.ts";
import { itemsOf, type Page, type PageOptions, pageQuery, signalOf } from "./pages.ts";
import type { CreateVideoInput, TicketStore } from "./tickets.ts";
import { type UploadInput, type UploadOptions, type UploadSource, upload } from "./upload.ts";
import { type WaitOptions, wait } from "./wait.ts";

export type { CallOptions } from "@reelmill/client";

type Filter = { state?: VideoState };
export type ListOptions = CallOptions &
	Filter & {
		/** Videos fetched at a time, 1..100; 20 unless told. The iteration goes on to the end whatever it is. */
		pageSize?: number;
	};

export type Videos = {
	/**
	 * Initiates an upload: the answer's `upload` goes to the end user's device, which sends the bytes.
	 * Not repeated by itself when its answer was lost, since the video may exist.
	 */
	create(input: CreateVideoInput, options?: CallOptions): Promise<CreatedVideo>;
	/**
	 * Initiates an upload as `create` does, and where the uploader's slot is taken (`concurrent_upload_exists`) gives the
	 * way out of it.
	 *
	 * The service shows an upload's token once, so an earlier upload can only be resumed with a ticket that is still held
	 * in `tickets` (see `ReelmillOptions`): if one is held for the same `uploader_ref`, `external_ref` and otherwise the
	 * same input, and its upload still waits for bytes, that ticket is given again, `resumed` true. Otherwise the pending
	 * upload in the way is cancelled and a new one initiated, unless `onExisting` is `fail`.
	 *
	 * Calls at once: with the same input in one process, all get one ticket. In several processes without a shared store
	 * the last call wins: it cancels the upload of the one before. An upload that has all its bytes is not cancelled,
	 * except where its last byte comes in between the look and the cancellation. After three tries that a rival undid it
	 * throws the last `concurrent_upload_exists`. Without `uploader_ref` there is no slot, and it is `create`.
	 */
	initiateOrResume(input: CreateVideoInput, options?: InitiateOptions): Promise<InitiatedVideo>;
	/** `video_not_found` for an unknown one, and for another tenant's. */
	get(id: string, options?: CallOptions): Promise<Video>;
	/** Every video, newest first; pages are fetched as the iteration reaches them. */
	list(options?: ListOptions): AsyncIterableIterator<Video>;
	/** One page, newest first. */
	page(options?: PageOptions & Filter): Promise<Page<Video>>;
	/**
	 * Gone from the API at once and from delivery within 5 s. A second time it is `video_not_found`; expired and
	 * cancelled ones are `video_not_deletable`.
	 */
	delete(id: string, options?: CallOptions): Promise<void>;
	/** `invalid_state` where the video's state is terminal already. */
	cancel(id: string, options?: CallOptions): Promise<Video>;
	/** Takes effect on the delivery plane within 60 s. */
	setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<Video>;
	/** The words of a video; `text` is null while there are none, and `status` says why. */
	transcript(id: string, options?: CallOptions): Promise<Transcript>;
	/**
	 * For debugging: what the transcoder found, what it decided and why, what it proved; `report` is null until the video
	 * is available, or failed for its source.
	 */
	report(id: string, options?: CallOptions): Promise<VideoReport>;
	/**
	 * Creates a video and sends its bytes from here: a file's path, a Blob, or a Readable with `file_size` in the input.
	 * Interruptions are resumed at the offset reached. Gives the video as it is when all bytes are in, once its record
	 * says so; see `wait` for what comes after. When it is aborted or fails, the video stays `pending_upload` until it
	 * expires or is cancelled.
	 */
	upload(source: UploadSource, input?: UploadInput, options?: UploadOptions): Promise<Video>;
	/**
	 * Polls until the video is available, failed, timeout, expired or cancelled, and gives it: look at its `state`. It
	 * outlives outages of the service; only an answer that is final (`video_not_found`, `unauthorized`) or the signal
	 * ends it early.
	 */
	wait(id: string, options?: WaitOptions): Promise<Video>;
};

export function createVideos(client: Client, tickets: TicketStore): Videos {
	const page = ({ state, ...options }: PageOptions & Filter = {}) =>
		client.call("listVideos", { query: { ...(state ? { state } : {}), ...pageQuery(options) } }, signalOf(options));
	return {
		create: (body, options) => client.call("createVideo", { body }, options),
		initiateOrResume: createInitiateOrResume(client, tickets),
		get: (id, options) => client.call("getVideo", { params: { id } }, options),
		page,
		list: ({ pageSize, ...options } = {}) =>
			itemsOf((cursor) =>
				page({
					...options,
					...(pageSize === undefined ? {} : { limit: pageSize }),
					...(cursor === undefined ? {} : { cursor }),
				}),
			),
		delete: async (id, options) => void (await client.call("deleteVideo", { params: { id } }, options)),
		cancel: (id, options) => client.call("cancelVideo", { params: { id } }, options),
		setVisibility: (id, visibility, options) =>
			client.call("updateVideoVisibility", { params: { id }, body: { visibility } }, options),
		transcript: (id, options) => client.call("getTranscript", { params: { id } }, options),
		report: (id, options) => client.call("getVideoReport", { params: { id } }, options),
		upload: (source, input = {}, options = {}) => upload(client, source, input, options),
		wait: (id, options = {}) => wait(client, id, options),
	};
}
