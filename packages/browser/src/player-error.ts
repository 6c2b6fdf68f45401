import { type ErrorCode, isReelmillError } from "@reelmill/client";

/**
 * Why the playback failed: a code of the service (`playback_key_invalid`, `not_found`, ...), or
 * - `key_unavailable`: the page's `key` function failed (`cause` is its error)
 * - `network_error`: no answer came
 * - `media_error`: the browser could not decode what it got
 * - `unsupported`: this browser can play none of the video's outputs
 * - `not_playable`: the video has no outputs, or none yet
 */
export type PlayerErrorCode =
	| ErrorCode
	| "key_unavailable"
	| "network_error"
	| "media_error"
	| "unsupported"
	| "not_playable";

/**
 * The error that ended a playback. Branch on `code`.
 * @example
 * ```ts
 * import { createPlayer, PlayerError } from "@reelmill/browser/player";
 *
 * const element = document.createElement("video");
 * const video = { id: "video-1", visibility: "public", outputs: null } as const; // still encoding
 * const player = createPlayer({ element, video });
 * const error = await new Promise((resolve) => player.onError(resolve));
 * console.log(error instanceof PlayerError && error.code); // => not_playable
 * ```
 */
export class PlayerError extends Error {
	override readonly name = "PlayerError";
	readonly code: PlayerErrorCode;
	constructor(code: PlayerErrorCode, message: string, cause?: unknown) {
		super(message, cause === undefined ? undefined : { cause });
		this.code = code;
	}
}

export function asPlayerError(error: unknown): PlayerError {
	if (error instanceof PlayerError) return error;
	if (isReelmillError(error)) return new PlayerError(error.code, error.message, error);
	return new PlayerError("network_error", error instanceof Error ? error.message : String(error), error);
}
