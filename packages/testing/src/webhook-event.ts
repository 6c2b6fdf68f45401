import type { DeliveryType, Video, WebhookEvent } from "@reelmill/contracts";

type Overrides<T> = T extends readonly unknown[]
	? T
	: T extends object
		? { readonly [Key in keyof T]?: Overrides<T[Key]> }
		: T;

/** Fields of an event to replace. Objects merge; arrays and `null` replace. */
export type EventOverrides = {
	/** The delivery's id, by which receivers know a repetition (default: a new one). */
	readonly id?: string;
	/** When it happened, as an ISO date. */
	readonly created_at?: string;
	/** The domain's id (default: a new one). */
	readonly domain_id?: string;
	/** Its video's fields. */
	readonly data?: { readonly video?: Overrides<Video> };
};

/**
 * Makes an event as the service sends it, with a video in the state that belongs to `type`. `id` and the ids of domain
 * and video are new in each call; the video's URLs follow its id. It doesn't check `overrides`: they can make an event
 * that the service would never send.
 *
 * @example
 * ```ts
 * import { webhookEvent } from "@reelmill/testing";
 *
 * const event = webhookEvent("video.ready", { data: { video: { external_ref: "lesson-1" } } });
 * console.log(event.type, event.data.video.state, event.data.video.external_ref); // => video.ready available lesson-1
 * ```
 */
export function webhookEvent<Type extends DeliveryType>(
	type: Type,
	overrides: EventOverrides = {},
): WebhookEvent & { readonly type: Type } {
	const videoId = overrides.data?.video?.id ?? crypto.randomUUID();
	const event = {
		id: crypto.randomUUID(),
		type,
		created_at: later,
		domain_id: crypto.randomUUID(),
		data: { video: { ...videoOf(videoId), ...byType[type](videoId) } },
	};
	return merge(event, overrides) as WebhookEvent & { readonly type: Type };
}

const at = "2026-01-31T12:00:00.000Z";
const later = "2026-01-31T12:01:00.000Z";

/** What all events' videos have in common. */
const videoOf = (id: string): Omit<Video, "state"> => ({
	id,
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
});

type Differences = Partial<Video> & Pick<Video, "state">;
const byType: Readonly<Record<DeliveryType, (id: string) => Differences>> = {
	"video.ready": (id) => ({
		state: "available",
		progress: 100,
		duration_seconds: 42.125,
		width: 1280,
		height: 720,
		uploaded_at: at,
		available_at: later,
		outputs: {
			hls_url: `https://video.example.com/videos/${id}/hls/master.m3u8`,
			dash_url: null,
			mp4_url: `https://video.example.com/videos/${id}/web.mp4`,
			thumbnail_url: `https://video.example.com/videos/${id}/og.jpg`,
			storyboard_url: null,
			web_mp4_outro_id: null,
			renditions: [{ name: "h264_720", codec: "h264", width: 1280, height: 720, bitrate: 2_000_000 }],
		},
	}),
	"video.failed": () => ({ state: "failed", failure_reason: "invalid_media", uploaded_at: at }),
	"video.expired": () => ({ state: "expired" }),
	"video.cancelled": () => ({ state: "cancelled" }),
	"webhook.test": () => ({ state: "pending_upload" }),
};

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function merge(base: unknown, overrides: unknown): unknown {
	if (!isObject(base) || !isObject(overrides)) return overrides;
	const merged = { ...base };
	for (const [name, value] of Object.entries(overrides))
		if (value !== undefined) merged[name] = merge(base[name], value);
	return merged;
}
