import type { CallOptions, Client } from "@reelmill/client";
import type { CaptionKind, Captions } from "@reelmill/contracts";

/** What is said of captions beside their text. */
export type PutCaptionsInput = {
	/** The text of a WebVTT or SubRip file, up to 1 MiB. */
	text: string;
	/** What viewers choose them by (default: as before, or the language's name in that language). */
	label?: string;
	/** Default: as before, or `captions` in the language of the sound and `subtitles` in any other. */
	kind?: CaptionKind;
};

/**
 * The captions of available videos. `language` is a tag of RFC 5646, such as `de`, or `und` for captions whose language
 * isn't known.
 */
export type CaptionsResource = {
	/**
	 * Lists a video's captions: those of the uploaded file, the transcript that was made, and your own.
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available, as all calls here
	 */
	list(videoId: string, options?: CallOptions): Promise<Captions[]>;
	/**
	 * Returns captions as the text of a WebVTT file: the first ones in the language that aren't forced.
	 * @throws {ReelmillError} `not_found` when there are none
	 */
	get(videoId: string, language: string, options?: CallOptions): Promise<string>;
	/**
	 * Gives a video captions in a language, or corrects those that it has, also the transcript. Players are offered them
	 * within 60 s. Calling it twice changes nothing more.
	 * @throws {ReelmillError} `validation_error`, whose message names line and cue, when the text is refused
	 */
	put(videoId: string, language: string, input: PutCaptionsInput, options?: CallOptions): Promise<Captions>;
	/**
	 * Takes all captions in a language away that aren't forced.
	 * @throws {ReelmillError} `not_found` when there are none, also on the second call
	 */
	delete(videoId: string, language: string, options?: CallOptions): Promise<void>;
};

export const createCaptions = (client: Client): CaptionsResource => ({
	list: async (id, options) => (await client.call("listCaptions", { params: { id } }, options)).data,
	get: (id, language, options) => client.call("getVideoCaptions", { params: { id, language } }, options),
	put: (id, language, { text, ...query }, options) =>
		client.call("putCaptions", { params: { id, language }, query, body: text }, options),
	delete: async (id, language, options) =>
		void (await client.call("deleteCaptions", { params: { id, language } }, options)),
});
