import { type DeliveryType, exampleData, type Video, type WebhookEvent } from "@reelmill/contracts";

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
	const id = overrides.data?.video?.id ?? crypto.randomUUID();
	const event = {
		id: crypto.randomUUID(),
		type,
		created_at: later,
		domain_id: crypto.randomUUID(),
		data: exampleData(type, { id, baseUrl: "https://video.example.com", at, later }),
	};
	return merge(event, overrides) as WebhookEvent & { readonly type: Type };
}

const at = "2026-01-31T12:00:00.000Z";
const later = "2026-01-31T12:01:00.000Z";

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function merge(base: unknown, overrides: unknown): unknown {
	if (!isObject(base) || !isObject(overrides)) return overrides;
	const merged = { ...base };
	for (const [name, value] of Object.entries(overrides))
		if (value !== undefined) merged[name] = merge(base[name], value);
	return merged;
}
