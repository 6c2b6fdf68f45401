import type { CallOptions, Client } from "@reelmill/client";
import type { Poster } from "@reelmill/contracts";

/** A frame of the video, or a picture. */
export type PutPosterInput =
	| {
			/** The moment of the frame, in seconds. */
			atSeconds: number;
			/** Whether a moving preview of the 3 s from there on is made as well (default: false). */
			preview?: boolean;
	  }
	| {
			/** The bytes of a JPEG, PNG or WebP file, up to 5 MB. */
			picture: Uint8Array<ArrayBuffer>;
	  };

/** The pictures that stand for available videos. */
export type PostersResource = {
	/**
	 * Returns where a video's poster comes from, and what becomes of the one that you asked for.
	 * @throws {ReelmillError} `video_not_found`; `invalid_state` when the video isn't available, as all calls here
	 */
	get(videoId: string, options?: CallOptions): Promise<Poster>;
	/**
	 * Chooses a poster, which is made within seconds: `state` is `pending` until then. A second call takes the place of the
	 * first.
	 * @throws {ReelmillError} `validation_error` when the moment is after the video's end, or when the file is no picture
	 * that can be taken
	 */
	put(videoId: string, input: PutPosterInput, options?: CallOptions): Promise<Poster>;
	/**
	 * Goes back to the poster that was chosen automatically.
	 * @throws {ReelmillError} `not_found` when you have chosen none, also on the second call
	 */
	delete(videoId: string, options?: CallOptions): Promise<void>;
};

export const createPosters = (client: Client): PostersResource => ({
	get: (id, options) => client.call("getVideoPoster", { params: { id } }, options),
	put(id, input, options) {
		const body =
			"picture" in input
				? input.picture
				: { at_seconds: input.atSeconds, ...(input.preview !== undefined && { preview: input.preview }) };
		return client.call("putPoster", { params: { id }, body }, options);
	},
	delete: async (id, options) => void (await client.call("deletePoster", { params: { id } }, options)),
});
