import type { Video } from "@reelmill/contracts";
import { createDeliveryAccess, type DeliveryAccess, type KeySource } from "./delivery-access.ts";
import { asPlayerError, errorFromBody, isPage, type PlayerError } from "./player-error.ts";

/** Fetches a file of a video as `fetch` does, with the playback key if the file needs one. */
export type PlaybackFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Makes a function that fetches a video's files with its playback key: for dash.js, Shaka or a player of your own. One
 * key serves all requests; it is renewed before it ends, and once when the service refuses it. Only the origin of the
 * video's outputs gets it. The function resolves to the answer whatever its status is.
 * @throws {PlayerError} when the page could not get a key
 * @throws {TypeError} when no answer came
 * @example
 * ```ts
 * import { createPlaybackFetch } from "@reelmill/browser/player";
 *
 * const ask = async (path: string) => (await fetch(path, { method: "POST" })).json(); // your back end
 * const video = await ask("/my-backend/video");
 * const fetchFile = createPlaybackFetch({ video, key: () => ask("/my-backend/playback-key") });
 * const response = await fetchFile(video.outputs.mp4_url, { headers: { range: "bytes=0-9" } });
 * console.log(response.status); // => 206
 * ```
 */
export function createPlaybackFetch({
	video,
	key,
}: {
	/** The video object of the API, or these fields of it. */
	video: Pick<Video, "outputs" | "visibility">;
	/** Asks your back end for a playback key, which a private video needs. */
	key?: KeySource;
}): PlaybackFetch {
	return keyedFetch(accessTo(video, key));
}

/** Creates the key that all requests for a video's files share. A video without outputs gets none. */
export function accessTo(
	{ outputs, visibility }: Pick<Video, "outputs" | "visibility">,
	key: KeySource | undefined,
): DeliveryAccess {
	const anyUrl = outputs?.hls_url ?? outputs?.mp4_url ?? outputs?.dash_url;
	const origin = anyUrl ? new URL(anyUrl).origin : "";
	return createDeliveryAccess({ origin, isPrivate: visibility === "private", key });
}

/** Fetches with the key. After a 401 it tries once more with a new key. */
export function keyedFetch(access: DeliveryAccess): PlaybackFetch {
	return async (address, init) => {
		const url = new URL(address, globalThis.document?.baseURI).href;
		for (let renewed = false; ; renewed = true) {
			const authorization = await access.authorization(url);
			const headers = new Headers(init?.headers);
			if (authorization) headers.set("authorization", authorization);
			const response = await fetch(url, { ...init, headers });
			if (response.status !== 401 || renewed || !access.refused(url, authorization)) return response;
			await response.body?.cancel();
		}
	};
}

/**
 * Returns an answer that is no error, and no page in a file's place.
 * @throws {PlayerError} when the answer is one
 */
export async function successful(response: Response, access: DeliveryAccess): Promise<Response> {
	if (response.ok && !isPage(response.headers.get("content-type"))) return response;
	throw named(errorFromBody(response.status, await response.text(), response.headers.get("x-request-id")), access);
}

/**
 * Tells a key that ended from one that the service refuses before its time. A public video that needs a key all at once
 * is gone for its viewers, deleted or private: the service does not tell which.
 */
export function named(thrown: unknown, access: DeliveryAccess): PlayerError {
	const error = asPlayerError(thrown);
	if (!error.code.startsWith("playback_key_")) return error;
	if (!access.isPrivate) error.reason = "deleted";
	else if (access.expired()) error.reason = "expired";
	return error;
}
