import type { Video } from "@reelmill/contracts";

export const videoId = "0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11";

export const video = (more: Partial<Video> = {}): Video => ({
	id: videoId,
	state: "pending_upload",
	progress: 0,
	visibility: "private",
	content_type: "video/mp4",
	file_size: 1,
	duration_seconds: null,
	width: null,
	height: null,
	external_ref: null,
	uploader_ref: null,
	outro_id: null,
	transcript_status: "disabled",
	transcript_url: null,
	outputs: null,
	failure_reason: null,
	created_at: "2026-11-01T00:00:00.000Z",
	updated_at: "2026-11-01T00:00:00.000Z",
	uploaded_at: null,
	available_at: null,
	expires_at: "2026-11-01T01:00:00.000Z",
	...more,
});
