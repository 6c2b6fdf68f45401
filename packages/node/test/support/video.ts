import type { Video, VideoOutputs } from "@reelmill/contracts";

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

const outputs: VideoOutputs = {
	hls_url: `https://video.example.com/videos/${videoId}/hls/master.m3u8`,
	dash_url: null,
	mp4_url: null,
	thumbnail_url: null,
	storyboard_url: null,
	web_mp4_outro_id: null,
	renditions: [],
};

/** A video as `video.ready` tells of it. */
export const readyVideo = (more: Partial<Video> = {}) => {
	const known = { state: "available", outputs, available_at: "2026-11-01T00:10:00.000Z" } as const;
	return { ...video(), ...more, ...known };
};
