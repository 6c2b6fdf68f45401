import type { CallOptions, Client } from "@reelmill/client";
import type {
	CreatedVideo,
	ListedVideo,
	Transcript,
	UpdateMetadata,
	Video,
	VideoCounts,
	VideoMetadata,
	VideoReport,
	VideoState,
	VideoTimeline,
	Visibility,
} from "@reelmill/contracts";
import { createInitiateOrResume, type InitiatedVideo, type InitiateOptions } from "./initiate-or-resume.ts";
import { callOf, listed, type Page, type PageOptions, pageQuery } from "./pages.ts";
import type { CreateVideoInput, TicketStore } from "./tickets.ts";
import { type UploadInput, type UploadOptions, upload } from "./upload.ts";
import type { UploadSource } from "./upload-source.ts";
import { type WaitOptions, wait } from "./wait.ts";

export type { CallOptions } from "@reelmill/client";

type Filter = {
	state?: VideoState;
	/** Exactly this `external_ref`. */
	externalRef?: string;
	/** Exactly this `uploader_ref`. */
	uploaderRef?: string;
	/**
	 * The beginning of a title, an id (from 8 characters on), an `external_ref` or an `uploader_ref`, in any case of
	 * letters.
	 */
	search?: string;
	/** Exactly this value in the metadata, under this key. */
	metadata?: { key: string; value: string };
	/** `metadata` gives each video its title and its values (default: neither). */
	include?: "metadata";
};
/** Which videos are wanted. */
export type ListOptions = CallOptions &
	Filter & {
		/** How many videos one request fetches, 1 to 100 (default: 20). */
		pageSize?: number;
	};

/** The videos of a domain. */
export type Videos = {
	/**
	 * Initiates an upload. Give `upload` of the answer to the uploader's device, which sends the bytes. The call
	 * carries an `Idempotency-Key`, so it is retried if its answer was lost, and creates one video. With an
	 * `idempotencyKey` of your own you may also repeat the call itself, after a crash, for 24 hours.
	 */
	create(input: CreateVideoInput, options?: CallOptions): Promise<CreatedVideo>;
	/**
	 * Initiates an upload as `create` does, and resolves a conflict with the uploader's pending upload
	 * (`concurrent_upload_exists`). Without `uploader_ref` there can be no conflict.
	 *
	 * The service shows the token of an upload only once. The SDK keeps it in `tickets` (see `ReelmillOptions`). If the
	 * store has a ticket of the same input and its upload still waits for bytes, the call returns that ticket with
	 * `resumed: true`. Otherwise it throws, and leaves the pending upload alone. With `onExisting: "cancel"` it cancels
	 * that one and initiates a new one.
	 *
	 * Calls of one process with the same input get the same ticket. With `cancel`, the last call of processes without a
	 * shared store wins. An upload that has all its bytes is not cancelled, unless the last byte arrives just before the
	 * cancellation.
	 * @throws {ReelmillError} `concurrent_upload_exists` when another upload of the uploader is pending; with `cancel`,
	 * when a rival takes the slot three times in a row
	 */
	initiateOrResume(input: CreateVideoInput, options?: InitiateOptions): Promise<InitiatedVideo>;
	/**
	 * Returns a video.
	 * @throws {ReelmillError} `video_not_found` when it is unknown or another tenant's
	 */
	get(id: string, options?: CallOptions): Promise<Video>;
	/** Yields every video, newest first. Each page is fetched when the iteration reaches it. */
	list(options?: ListOptions): AsyncIterableIterator<ListedVideo>;
	/** Returns one page of videos, newest first. */
	page(options?: PageOptions & Filter): Promise<Page<ListedVideo>>;
	/** Counts the videos by state, at most 10,000 of each. */
	counts(options?: CallOptions): Promise<VideoCounts>;
	/**
	 * Deletes a video: from the API at once, from delivery within 5 s.
	 * @throws {ReelmillError} `video_not_found` when it is unknown or already deleted, `video_not_deletable` when it is
	 * expired or cancelled
	 */
	delete(id: string, options?: CallOptions): Promise<void>;
	/**
	 * Cancels a video. Returns it in its new state.
	 * @throws {ReelmillError} `invalid_state` when its state is already terminal
	 */
	cancel(id: string, options?: CallOptions): Promise<Video>;
	/** Changes who may play a video. It takes effect on the delivery plane within 60 s. */
	setVisibility(id: string, visibility: Visibility, options?: CallOptions): Promise<Video>;
	/** Returns the title and the values of a video. */
	metadata(id: string, options?: CallOptions): Promise<VideoMetadata>;
	/**
	 * Sets the title (`null` for none) and all values of a video, at most 20, and returns them. Values that are left out
	 * are removed. The call may be repeated.
	 * @throws {ReelmillError} `validation_error` when a text is too long or holds a control character
	 */
	setMetadata(id: string, metadata: UpdateMetadata, options?: CallOptions): Promise<VideoMetadata>;
	/** Returns the transcript of a video. If `text` is null, `status` says why. */
	transcript(id: string, options?: CallOptions): Promise<Transcript>;
	/**
	 * Returns what the transcoder found, decided and proved, for debugging. `report` is null until the video is
	 * available, or has failed because of its source.
	 */
	report(id: string, options?: CallOptions): Promise<VideoReport>;
	/** Returns each state that a video came to, with the time and the worker that took its job. */
	timeline(id: string, options?: CallOptions): Promise<VideoTimeline>;
	/**
	 * Creates a video and sends its bytes: those of a file (path or `file:` URL), of a Blob, of a Buffer, or of a stream,
	 * Node's or the web's. A stream whose `file_size` is in the input is sent as it comes; another one is first written to
	 * a temporary file. After an interruption it continues at the offset that the service holds. Returns the video once
	 * the service says that it has every byte; `wait` waits for the processing.
	 *
	 * If the upload is aborted, or fails so that no other try can help (the source broke off, the service refused it), the
	 * video is cancelled, unless `keep` is set. Otherwise it stays `pending_upload` until it expires; `resume` continues
	 * it, in another process too.
	 * @throws {ReelmillError} `file_too_large` when a stream has more bytes than are allowed; nothing is created then
	 */
	upload(source: UploadSource, input?: UploadInput, options?: UploadOptions): Promise<Video>;
	/**
	 * Waits until the video is available, failed, timeout, expired or cancelled, and returns it: look at its `state`. It
	 * keeps waiting while the service can't be reached. Only a final error (`video_not_found`, `unauthorized`) or the
	 * signal ends it early.
	 */
	wait(id: string, options?: WaitOptions): Promise<Video>;
};

export function createVideos(client: Client, tickets: TicketStore): Videos {
	const page = ({
		state,
		externalRef,
		uploaderRef,
		search,
		metadata,
		include,
		...options
	}: PageOptions & Filter = {}) => {
		const filter = {
			...(state ? { state } : {}),
			...(externalRef === undefined ? {} : { external_ref: externalRef }),
			...(uploaderRef === undefined ? {} : { uploader_ref: uploaderRef }),
			...(search === undefined ? {} : { search }),
			...(metadata && { metadata_key: metadata.key, metadata_value: metadata.value }),
			...(include && { include }),
		};
		return client.call("listVideos", { query: { ...filter, ...pageQuery(options) } }, callOf(options));
	};
	return {
		create: (body, options) => client.call("createVideo", { body }, options),
		initiateOrResume: createInitiateOrResume(client, tickets),
		get: (id, options) => client.call("getVideo", { params: { id } }, options),
		...listed(page),
		counts: (options) => client.call("countVideos", {}, options),
		delete: async (id, options) => void (await client.call("deleteVideo", { params: { id } }, options)),
		cancel: (id, options) => client.call("cancelVideo", { params: { id } }, options),
		setVisibility: (id, visibility, options) =>
			client.call("updateVideoVisibility", { params: { id }, body: { visibility } }, options),
		metadata: (id, options) => client.call("getVideoMetadata", { params: { id } }, options),
		setMetadata: (id, body, options) => client.call("putVideoMetadata", { params: { id }, body }, options),
		transcript: (id, options) => client.call("getTranscript", { params: { id } }, options),
		report: (id, options) => client.call("getVideoReport", { params: { id } }, options),
		timeline: (id, options) => client.call("getVideoTimeline", { params: { id } }, options),
		upload: (source, input = {}, options = {}) => upload(client, source, input, options),
		wait: (id, options = {}) => wait(client, id, options),
	};
}
