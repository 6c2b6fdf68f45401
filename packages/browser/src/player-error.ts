import { type ErrorCode, obstacleOf } from "@reelmill/client";

/**
 * Why the playback failed: a code of the service (`playback_key_invalid`, `not_found`, ...), or
 * - `key_unavailable`: the page's `key` function failed (`cause` is its error)
 * - `network_error`: no answer came
 * - `media_error`: the browser could not decode what it got
 * - `unsupported`: this browser can play none of the video's outputs
 * - `not_playable`: the video has no outputs, or none yet (`reason` tells which, if the video has its `state`)
 */
export type PlayerErrorCode =
	| ErrorCode
	| "key_unavailable"
	| "network_error"
	| "media_error"
	| "unsupported"
	| "not_playable";

const sentences = {
	offline: "The connection is lost. The video goes on when it is back.",
	locked: "You may not watch this video.",
	expired: "Your access to this video has expired.",
	revoked: "You may not watch this video any more.",
	deleted: "This video is gone.",
	busy: "The service is busy. The video goes on by itself.",
	too_large: "This browser can't play a private video of this size.",
	unsupported: "This browser can't play this video.",
	undecodable: "This browser could not play this video.",
	not_ready: "This video is not ready yet.",
	failed: "This video could not be made ready.",
} as const;

/**
 * What a viewer needs to know of an error, apart from its code:
 * - `offline`: no answer came; the player tries again by itself when the browser is online again, and every 5 to
 * 40 s if it never was offline
 * - `locked`: the video needs a key, and the page has given none; also if your back end refuses this viewer
 * - `expired`: the key's time ended, and the page gave no newer one
 * - `revoked`: the service refuses a key whose time has not ended; a deleted private video looks the same if your back
 * end still gives a key for it
 * - `deleted`: the video or its file is gone, or `key` says so; also a public video that has become private
 * - `busy`: the service is overloaded or failing; the player tries again by itself after half a minute, or at
 * `retryAfter`, and then less often, down to every four minutes
 * - `too_large`: only the whole file could be played, and it is larger than `maxWholeFileBytes`
 * - `unsupported`, `undecodable`, `not_ready`: another browser, another quality, or patience may help
 * - `failed`: the video has no outputs, and its `state` says that it never will
 */
export type PlayerErrorReason = keyof typeof sentences;

const reasons: Readonly<Record<string, PlayerErrorReason>> = {
	network_error: "offline",
	playback_key_required: "locked",
	key_unavailable: "locked",
	unauthorized: "locked",
	forbidden: "locked",
	playback_key_invalid: "revoked",
	not_found: "deleted",
	video_not_found: "deleted",
	media_error: "undecodable",
	unsupported: "unsupported",
	not_playable: "not_ready",
};

/** What is known of an error beside its code. */
export type PlayerErrorDetails = {
	/** What lies behind it. */
	cause?: unknown;
	/** For a viewer (default: by the code). */
	reason?: PlayerErrorReason;
	/** The HTTP status; absent if no answer came. */
	status?: number | undefined;
	/** The service's id of the request, for its operator's log. */
	requestId?: string | undefined;
	/** The first moment at which a retry can succeed, as RFC 3339, if the service said so. */
	retryAfter?: string | undefined;
};

/**
 * The error that ended a playback. Branch on `reason` for what a viewer is told, and on `code` for what happened.
 * `message` is a sentence for developers; `sentence` is one for viewers, in English.
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
	declare readonly code: PlayerErrorCode;
	declare reason: PlayerErrorReason;
	declare readonly status: number | undefined;
	declare readonly requestId: string | undefined;
	declare readonly retryAfter: string | undefined;
	constructor(code: PlayerErrorCode, message: string, details: PlayerErrorDetails = {}) {
		super(message, details);
		this.code = code;
		this.reason = details.reason ?? reasons[code] ?? "busy";
		this.status = details.status;
		this.requestId = details.requestId;
		this.retryAfter = details.retryAfter;
	}

	/** What a viewer is told, in English. Take `reason` for another language. */
	get sentence(): string {
		return sentences[this.reason];
	}
}

/**
 * Makes an error from an answer. It reads the body itself and carries no table of the codes: a code that this version
 * does not know is kept as it came. An answer without a code comes from something on the way to the service.
 */
export function errorFromBody(status: number, body: string, requestId?: string | null): PlayerError {
	let fields: { error?: unknown; message?: unknown; retryAfter?: unknown } = {};
	try {
		fields = Object(JSON.parse(body));
	} catch {}
	const { error: code, message, retryAfter } = fields;
	// Behind a sign-in page there is no network yet.
	const foreign = status === 404 ? "not_found" : obstacleOf(status) === "sign_in" ? "network_error" : "internal_error";
	return new PlayerError(
		typeof code === "string" ? (code as ErrorCode) : foreign,
		typeof message === "string" ? message : `The service answered ${status}.`,
		{
			status,
			requestId: requestId ?? undefined,
			retryAfter: typeof retryAfter === "string" ? retryAfter : undefined,
		},
	);
}

/** Whether an answer is a page: no file of a video is one, but a sign-in page in its place. */
export const isPage = (contentType: string | null): boolean => /^text\/html/.test(contentType ?? "");

/** Returns an error of the player as it is, and any other as `network_error` with that cause. */
export function asPlayerError(cause: unknown): PlayerError {
	if (cause instanceof PlayerError) return cause;
	return new PlayerError("network_error", (cause as Error | undefined)?.message ?? String(cause), { cause });
}
