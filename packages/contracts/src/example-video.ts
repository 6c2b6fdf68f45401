import type { Video } from "./resources/video.ts";
import type { DeliveryType } from "./resources/webhook.ts";
import type { WebhookEvent } from "./resources/webhook-event.ts";

/** What an example of a video is made of. */
export type ExampleVideoOptions = {
	readonly id: string;
	/** The service's address, for the URLs of the outputs. */
	readonly baseUrl: string;
	/** When the upload began, as an ISO date. */
	readonly at: string;
	/** When what the event tells of happened (default: `at`). */
	readonly later?: string;
};

/** The data of each type of event. */
type DataTold = { readonly [Event in WebhookEvent as Event["type"]]: Event["data"] };
/** The video that each type of event tells of. */
type VideoTold = { readonly [Type in DeliveryType]: DataTold[Type]["video"] };

/**
 * Returns what an event of this type carries: the example of a video, and what the type tells beside it.
 *
 * @example
 * ```ts
 * import { exampleData } from "@reelmill/contracts";
 *
 * const at = "2026-01-31T12:00:00.000Z";
 * const { changed } = exampleData("video.updated", { id: crypto.randomUUID(), baseUrl: "https://video.example.com", at });
 * console.log(changed); // => [ 'metadata' ]
 * ```
 */
export function exampleData<Type extends DeliveryType>(type: Type, options: ExampleVideoOptions): DataTold[Type] {
	const video = exampleVideo(type, options);
	return (type === "video.updated" ? { video, changed: ["metadata"] } : { video }) as DataTold[Type];
}

/**
 * Returns a whole video as an event of this type tells of it. It is made up: no service has it.
 *
 * @example
 * ```ts
 * import { exampleVideo } from "@reelmill/contracts";
 *
 * const at = "2026-01-31T12:00:00.000Z";
 * const video = exampleVideo("video.failed", { id: crypto.randomUUID(), baseUrl: "https://video.example.com", at });
 * console.log(video.state, video.failure_reason); // => failed invalid_media
 * ```
 */
export function exampleVideo<Type extends DeliveryType>(
	type: Type,
	{ id, baseUrl, at, later = at }: ExampleVideoOptions,
): VideoTold[Type] {
	const file = (path: string) => `${baseUrl}/videos/${id}/${path}`;
	const pending: Video = {
		id,
		state: "pending_upload",
		progress: 0,
		visibility: "private",
		content_type: "video/mp4",
		file_size: 12_345_678,
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
		updated_at: later,
		uploaded_at: null,
		available_at: null,
		expires_at: null,
	};
	const available: Partial<Video> = {
		state: "available",
		progress: 100,
		duration_seconds: 42.125,
		width: 1280,
		height: 720,
		uploaded_at: at,
		available_at: later,
		outputs: {
			hls_url: file("hls/master.m3u8"),
			dash_url: null,
			mp4_url: file("web.mp4"),
			thumbnail_url: file("og.jpg"),
			poster_url: file("poster.jpg"),
			storyboard_url: null,
			chapters_url: null,
			web_mp4_outro_id: null,
			renditions: [{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 1_850_000 }],
		},
	};
	const told: { readonly [type in DeliveryType]: Partial<Video> } = {
		"webhook.test": {},
		"video.expired": { state: "expired" },
		"video.cancelled": { state: "cancelled" },
		"video.failed": { state: "failed", uploaded_at: at, failure_reason: "invalid_media" },
		"video.ready": available,
		"video.updated": available,
	};
	return { ...pending, ...told[type] } as Video as VideoTold[Type];
}
