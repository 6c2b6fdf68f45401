type StorageStep = "connect" | "write" | "read" | "presign" | "delete";

/**
 * How an upload ended: with every byte; cancelled, deleted or replaced by another one; by its window, which closed
 * before every byte had arrived; because its first bytes were of no video; or because the storage lost what had
 * arrived.
 */
export type UploadEnd = (typeof uploadEnds)[number];
export const uploadEnds = ["finished", "cancelled", "expired", "refused", "lost"] as const;

/** The fields of an error body besides `error` and `message`, by code. */
export type ErrorExtras = {
	concurrent_upload_exists: { existing_video_id: string };
	rate_limited: { retryAfter: string };
	/** If `retryAfter` is missing, no retry can succeed. */
	upload_quota_exceeded: { retryAfter?: string | undefined };
	too_many_incomplete_uploads: { retryAfter?: string | undefined };
	/** Whether every byte has arrived and is kept: only then is the upload a success. */
	upload_not_pending: {
		upload_complete?: boolean | undefined;
		/** How the upload ended. */
		upload_end?: UploadEnd | undefined;
	};
	outputs_incomplete: { missing: string[] };
	storage_verification_failed: {
		step: StorageStep;
		/** Every step, with how it went. */
		checks: { step: StorageStep; state: "passed" | "failed" | "not_reached"; duration_ms: number }[];
		/** The provider's own name of the error, and the status of its answer; null if it gave none. */
		provider_said: string | null;
		/** What to look at and change, the likeliest first, for people. */
		advice: string[];
	};
};
