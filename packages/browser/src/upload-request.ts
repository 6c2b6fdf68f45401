import type { UploadTicket } from "@reelmill/contracts/types";

/** What `initiate` is told besides the file. */
export type UploadRequest = {
	/**
	 * The ids of videos whose uploads of this very file this browser keeps: an earlier page or another tab began them, at
	 * most five, perhaps for another person or purpose. Only the back end knows. Answer with one of these videos, and
	 * without `upload`, to continue it.
	 */
	readonly kept: readonly string[];
	/** Whether the person chose to send this file in place of an upload that is in the way. */
	readonly replace: boolean;
};

/** What `initiate` resolves to: the answer of `createVideo`, of `initiateOrResume` or of `uploadRoutes`. */
export type InitiatedUpload = {
	video: { id: string };
	/** Missing or null if the video is one of `kept`. */
	upload?: UploadTicket | null;
	/** Whether the upload was there before. */
	resumed?: boolean;
	/** How a kept upload ended, in whose place this one begins. */
	earlier_state?: string;
};

const requests = new WeakMap<Blob, UploadRequest>();

/** Lets `fromBackEnd` know the request, although a page's own `initiate` hands it no more than the file. */
export const rememberRequest = (file: Blob, request: UploadRequest): void => void requests.set(file, request);

/** Returns the last request for a file; one that keeps nothing if there was none. */
export const requestFor = (file: Blob): UploadRequest => requests.get(file) ?? { kept: [], replace: false };

/** The refusals of `uploadRoutes`: the upload that is in the way is the person's own, and `replace` cancels it. */
export const replaceable = new WeakSet<Error>();
