import { type DeliveryType, testEventType, testVideoId, type Video } from "@reelmill/contracts";

/** Returns the whole video that a made-up event of this type tells of. It is nobody's. */
export function exampleVideo(type: DeliveryType, baseUrl: string, now: Date): Video {
	const at = now.toISOString();
	const file = (path: string) => `${baseUrl}/videos/${testVideoId}/${path}`;
	const pending: Video = {
		id: testVideoId,
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
		created_at: at,
		updated_at: at,
		uploaded_at: null,
		available_at: null,
		expires_at: null,
	};
	const probed = { uploaded_at: at, duration_seconds: 10, width: 1280, height: 720 };
	const told: { readonly [type in DeliveryType]: Partial<Video> } = {
		[testEventType]: {},
		"video.expired": { state: "expired" },
		"video.cancelled": { state: "cancelled" },
		"video.failed": { state: "failed", uploaded_at: at, failure_reason: "invalid_media" },
		"video.ready": {
			...probed,
			state: "available",
			progress: 100,
			available_at: at,
			outputs: {
				hls_url: file("hls/master.m3u8"),
				dash_url: null,
				mp4_url: file("web.mp4"),
				thumbnail_url: file("og.jpg"),
				storyboard_url: null,
				web_mp4_outro_id: null,
				renditions: [{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1_500_000 }],
			},
		},
	};
	return { ...pending, ...told[type] };
}
