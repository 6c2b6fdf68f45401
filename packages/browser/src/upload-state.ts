import type { UploadSource } from "./upload-source.ts";

/**
 * What an upload does:
 * - `idle`: it has not been started, or was closed
 * - `waiting`: an uploader of several files starts it when its turn comes, or when the service takes more (`error` says
 *   why it does not now, `retryAt` when it is asked again)
 * - `preparing`: it reads the file and initiates the video
 * - `uploading`: it sends bytes
 * - `retrying`: an attempt failed (`error` says why), and another one follows (`retryAt` says when)
 * - `paused`: `pause` stopped it
 * - `done`: the service has every byte
 * - `failed`: it gave up (`error` says why); `start` tries again
 * - `cancelled`: it was cancelled, or its video was deleted, here or elsewhere; `start` begins a new upload
 * - `expired`: its window closed before every byte had arrived; `start` begins a new upload
 */
export type UploadStatus =
	| "idle"
	| "waiting"
	| "preparing"
	| "uploading"
	| "retrying"
	| "paused"
	| "done"
	| "failed"
	| "cancelled"
	| "expired";

/** How an upload ended for ever: with every byte, by someone's wish, or because its window closed. */
export type UploadEnd = "finished" | "cancelled" | "expired";

/** How far an upload has come, in bytes and seconds. */
export type UploadState = {
	status: UploadStatus;
	/** The bytes that were sent. The number falls if some were lost and are sent again. */
	bytesSent: number;
	bytesTotal: number;
	/** The speed of the last seconds; null while too little is known. */
	speedBytesPerSecond: number | null;
	secondsLeft: number | null;
	/** What the page has read of the film before it initiated the video; null before, and if it could read nothing. */
	source: UploadSource | null;
	/** The video's id; null until the video is initiated. */
	videoId: string | null;
	/** The offset at which the current run continued; null if it began the upload. */
	resumedFromBytes: number | null;
	/**
	 * Whether this upload began from its start because an earlier one of this file had expired, was cancelled or had
	 * failed.
	 */
	startedAnew: boolean;
	/**
	 * When the next attempt follows, as Unix time in milliseconds; null unless the status is `retrying`, or `waiting`
	 * until a known time.
	 */
	retryAt: number | null;
	/** Whether another tab sends this file. This state follows that tab, and the controls act on it. */
	inOtherTab: boolean;
	/** How the upload ended; null while it has not, and if it `failed`. */
	ended: UploadEnd | null;
	/** Whether the end came from elsewhere: another tab, an earlier page, your back end, or the service. */
	endedElsewhere: boolean;
	/**
	 * Whether `start({ replace: true })` can send this file in place of the upload that `concurrent_upload_exists` names:
	 * an earlier one of the same person's that this browser keeps, or that the back end may cancel.
	 */
	canReplace: boolean;
	/** A ReelmillError with a `code`, a ConnectionError, or the error of `initiate`; null if nothing is wrong. */
	error: Error | null;
};

export const initialState = (bytesTotal: number): UploadState => ({
	status: "idle",
	bytesSent: 0,
	bytesTotal,
	speedBytesPerSecond: null,
	secondsLeft: null,
	source: null,
	videoId: null,
	resumedFromBytes: null,
	startedAnew: false,
	retryAt: null,
	inOtherTab: false,
	ended: null,
	endedElsewhere: false,
	canReplace: false,
	error: null,
});

/** What holds no longer once the upload stops, for whatever reason. */
export const stopped = { speedBytesPerSecond: null, secondsLeft: null, retryAt: null } satisfies Partial<UploadState>;

const ends: Partial<Record<UploadStatus, UploadEnd>> = { done: "finished", cancelled: "cancelled", expired: "expired" };

/** The change of state that ends an upload for ever. */
export const endedAs = (status: "done" | "cancelled" | "expired", endedElsewhere: boolean): Partial<UploadState> => ({
	...stopped,
	status,
	ended: ends[status] ?? null,
	endedElsewhere,
});

/** Whether nothing more happens before the next `start`. */
export const isOver = (status: UploadStatus): boolean => status in ends || status === "failed";
