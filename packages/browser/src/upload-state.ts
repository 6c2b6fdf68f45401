/**
 * - `idle`: not started
 * - `preparing`: the file is looked at and the video initiated
 * - `uploading`: bytes move
 * - `retrying`: something failed (`error` says what) and it goes on by itself
 * - `paused`: by `pause`
 * - `done`: the server has every byte
 * - `failed`: `error` says why; `start` tries again
 * - `cancelled`: by `cancel`
 */
export type UploadStatus = "idle" | "preparing" | "uploading" | "retrying" | "paused" | "done" | "failed" | "cancelled";

export type UploadState = {
	status: UploadStatus;
	/** Bytes handed to the network; goes back when some were lost and are sent again. */
	bytesSent: number;
	bytesTotal: number;
	/** Over the last seconds; null while there is nothing to measure. */
	speedBytesPerSecond: number | null;
	secondsLeft: number | null;
	/** Known from the initiation on. */
	videoId: string | null;
	/** The offset at which the current run went on; null for one that began with the upload. */
	resumedFromBytes: number | null;
	/** A ReelmillError with a `code`, a ConnectionError, or what `initiate` threw. */
	error: Error | null;
};

export const initialState = (bytesTotal: number): UploadState => ({
	status: "idle",
	bytesSent: 0,
	bytesTotal,
	speedBytesPerSecond: null,
	secondsLeft: null,
	videoId: null,
	resumedFromBytes: null,
	error: null,
});
