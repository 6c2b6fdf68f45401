/**
 * What an upload does:
 * - `idle`: it has not been started
 * - `preparing`: it reads the file and initiates the video
 * - `uploading`: it sends bytes
 * - `retrying`: an attempt failed (`error` says why), and another one follows
 * - `paused`: `pause` stopped it
 * - `done`: the service has every byte
 * - `failed`: it gave up (`error` says why); `start` tries again
 * - `cancelled`: `cancel` ended it
 */
export type UploadStatus = "idle" | "preparing" | "uploading" | "retrying" | "paused" | "done" | "failed" | "cancelled";

export type UploadState = {
	status: UploadStatus;
	/** The bytes that were sent. The number falls if some were lost and are sent again. */
	bytesSent: number;
	bytesTotal: number;
	/** The speed of the last seconds; null while too little is known. */
	speedBytesPerSecond: number | null;
	secondsLeft: number | null;
	/** The video's id; null until the video is initiated. */
	videoId: string | null;
	/** The offset at which the current run continued; null if it began the upload. */
	resumedFromBytes: number | null;
	/** A ReelmillError with a `code`, a ConnectionError, or the error of `initiate`; null if nothing is wrong. */
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
