/** The fields of an error body besides `error` and `message`, by code. */
export type ErrorExtras = {
	concurrent_upload_exists: { existing_video_id: string };
	rate_limited: { retryAfter: string };
	/** If `retryAfter` is missing, no retry can succeed. */
	upload_quota_exceeded: { retryAfter?: string | undefined };
	too_many_incomplete_uploads: { retryAfter?: string | undefined };
	/** Whether every byte has arrived and is kept: only then is the upload a success. */
	upload_not_pending: { upload_complete?: boolean | undefined };
	outputs_incomplete: { missing: string[] };
	storage_verification_failed: { step: "connect" | "write" | "read" | "presign" | "delete" };
};
