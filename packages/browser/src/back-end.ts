import {
	ConnectionError,
	contentTypeOf,
	errorFromAnswer,
	type ReelmillError,
	secondsUntilRetry,
} from "@reelmill/client";
import type { PageCall, PageUpload, PageVideo, PlaybackKey } from "@reelmill/contracts";
import { fingerprint } from "./fingerprint.ts";
import { replaceable, requestFor } from "./upload-request.ts";
import { durationOf, readUploadSource } from "./upload-source.ts";

export type { PageUpload, PageVideo } from "@reelmill/contracts";

/** How the page's back end is asked. */
export type BackEndOptions = {
	/** Headers of each call, or a function that returns them, such as the token of a session that has no cookie. */
	headers?: HeadersInit | (() => HeadersInit | Promise<HeadersInit>);
	/** Whether cookies are sent (default: `same-origin`). A back end of another origin needs `include`. */
	credentials?: RequestCredentials;
	/** The `fetch` that sends the calls (default: the browser's). */
	fetch?: typeof fetch;
};

/** What the page says of an upload when it asks its back end for a ticket. */
export type InitiateFromBackEnd = {
	/** What the upload is for, such as `{ lesson: 7 }`. Your back end gets it as `asked.about`. */
	about?: unknown;
	/**
	 * Whether another pending upload of the same uploader is cancelled if it is in the way (default: if the person chose
	 * so, by `start({ replace: true })`).
	 */
	replace?: boolean;
};

/** What `fromBackEnd` gives: the tickets of uploads and the keys of a player. */
export type BackEnd = {
	/**
	 * Asks for an upload of this file, and says how long the film is if the page can read it. If an upload of the same
	 * file by the same uploader for the same purpose is pending, it is given again with `resumed: true`, to another
	 * device where the domain allows one pending upload at a time. The back end is told which uploads of the file
	 * `createUpload` keeps in this browser.
	 */
	initiate(file: Blob, options?: InitiateFromBackEnd): Promise<PageUpload>;
	/** Asks what has become of a video, and for the addresses of its outputs. */
	video(id: string): Promise<PageVideo>;
	/** Asks for a key to play one video. */
	key(videoId: string): Promise<PlaybackKey>;
};

/** How many times a call is sent that failed for a moment. Each of the three does no more when it is sent twice. */
const tries = 3;
/** A longer wait is not the call's: its error goes to the page, with the time to wait. */
const longestWaitSeconds = 10;

/**
 * Lets a page's uploader and player ask your back end's one route, which `uploadRoutes` of `@reelmill/node` serves. It
 * sends nothing before one of its functions is called.
 *
 * Each function throws a ReelmillError with the code, the fields and the status of the service or your back end, for
 * example `concurrent_upload_exists`, `rate_limited` with `retryAfter`, or `unauthorized` if nobody is signed in. It
 * throws a ConnectionError if no answer came. The state of an upload or a player shows it so.
 * @example
 * ```ts
 * import { fromBackEnd } from "@reelmill/browser/back-end";
 * import { createPlayer } from "@reelmill/browser/player";
 * import { createUpload } from "@reelmill/browser/upload";
 *
 * const backEnd = fromBackEnd("/my-backend");
 *
 * const file = new File(["the bytes of a video"], "clip.mp4"); // or that of an <input type="file">
 * const upload = createUpload({ file, initiate: () => backEnd.initiate(file) });
 * const { videoId } = await upload.start();
 *
 * const video = await backEnd.video(videoId); // once it is available
 * const element = document.createElement("video");
 * createPlayer({ element, video, key: () => backEnd.key(videoId) });
 * console.log(upload.state.get().status, video.state); // => done available
 * ```
 */
export function fromBackEnd(url: string | URL, options: BackEndOptions = {}): BackEnd {
	const ask = async <Answer>(call: PageCall): Promise<Answer> => {
		for (let made = 1; ; made++) {
			const error = await send<Answer>(url, call, options);
			if (!(error instanceof Error)) return error.answer;
			const wait = secondsToWait(error, made);
			if (made === tries || wait === undefined) throw error;
			await new Promise((resolve) => setTimeout(resolve, wait * 1000));
		}
	};
	return {
		async initiate(file, { about, replace = requestFor(file).replace } = {}) {
			const { kept } = requestFor(file);
			const call: PageCall = {
				action: "upload",
				content_type: typeOf(file),
				file_size: file.size,
				...(file instanceof File && { file_name: file.name }),
				...durationOf(await readUploadSource(file)),
				fingerprint: await fingerprint(file),
				...(kept.length > 0 && { kept }),
				// A page without https has no random ids; there a lost answer may leave a pending upload behind.
				...(globalThis.isSecureContext === false ? {} : { call: crypto.randomUUID() }),
				replace,
				about,
			};
			return ask<PageUpload>(call).catch((error: Error) => {
				replaceable.add(error);
				throw error;
			});
		},
		video: (id) => ask({ action: "video", video_id: id }),
		key: (videoId) => ask({ action: "playback_key", video_id: videoId }),
	};
}

async function send<Answer>(
	url: string | URL,
	call: PageCall,
	{ headers, credentials = "same-origin", fetch: sendRequest = fetch }: BackEndOptions,
): Promise<{ answer: Answer } | ReelmillError | ConnectionError> {
	const given = new Headers(typeof headers === "function" ? await headers() : headers);
	given.set("content-type", "application/json");
	try {
		const response = await sendRequest(url, {
			method: "POST",
			headers: given,
			credentials,
			body: JSON.stringify(call),
		});
		const text = await response.text();
		const answer = parsed(text);
		if (response.ok && answer) return { answer: answer as Answer };
		const headerOf = (name: string) => response.headers.get(name);
		const error = errorFromAnswer({
			status: response.status,
			body: response.ok ? "" : text,
			requestId: headerOf("x-request-id") ?? null,
			request: { method: "POST", url: response.url || `${url}` },
			headerOf,
		});
		// The moment is by the service's clock, and this device's may be hours off it.
		const seconds = headerOf("retry-after");
		if ("retryAfter" in error.extras && seconds !== null && /^\d+$/.test(seconds))
			Object.assign(error.extras, { retryAfter: new Date(Date.now() + Number(seconds) * 1000).toISOString() });
		if (error.rawCode === undefined) error.message += " Is uploadRoutes mounted there?";
		return error;
	} catch (cause) {
		return new ConnectionError("unreachable", `${url} got no answer.`, { cause });
	}
}

function parsed(text: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
	} catch {
		return undefined;
	}
}

/** Returns how long to wait before the next try; undefined if another try can't help soon. */
function secondsToWait(error: ReelmillError | ConnectionError, made: number): number | undefined {
	const backoff = 0.5 * 2 ** (made - 1);
	if (error instanceof ConnectionError) return backoff;
	if (error.status >= 400 && error.status < 502 && error.code !== "rate_limited") return undefined;
	const asked = secondsUntilRetry(undefined, (error.extras as { retryAfter?: unknown }).retryAfter) ?? 0;
	return asked > longestWaitSeconds ? undefined : Math.max(asked, backoff);
}

/** Browsers know fewer types than the service takes. */
const typeOf = (file: Blob): string =>
	(file.type.startsWith("video/") ? file.type : undefined) ??
	contentTypeOf(file instanceof File ? file.name : "") ??
	(file.type || "application/octet-stream");
