import type { EventType, WebhookEvent } from "./resources/webhook-event.ts";

/** When each webhook event is sent. This file imports nothing at run time. */
export const events = {
	"video.ready": "Processing finished; the payload has the full video with its playback URLs.",
	"video.failed":
		"Processing failed for good: retries exhausted, not processable, or timed out (failure_reason says which).",
	"video.expired": "The upload did not complete within its window.",
	"video.cancelled": "The video was cancelled, or deleted, while in flight.",
	"video.updated":
		"Something of the video was changed after its upload, as `changed` says. Only listeners get it, and an endpoint that asks for it: by the header `Service-Events: video.updated` in its 2xx answer to any delivery, a test event too. A 2xx answer without the header takes that back.",
} as const satisfies Record<EventType, string>;

/**
 * Stands for every type of event that this version doesn't know. It exists for the compiler alone: at run time `type`
 * is the text that was sent. An enum's member is told apart from the known types, which a `string` would not be.
 */
declare enum LaterEventType {
	later = "a type of a later version",
}

/** An event of a type that a later version sends. Nothing but its envelope is known. */
export type UnknownEvent = Omit<WebhookEvent, "type" | "data"> & {
	readonly type: LaterEventType;
	readonly data: unknown;
};

/**
 * What a receiver gets. `switch (event.type)` narrows it to each type, and the rest is an {@link UnknownEvent}:
 * `default: event satisfies UnknownEvent` compiles only if each known type has its case.
 */
export type ReceivedEvent = WebhookEvent | UnknownEvent;

/**
 * Tells whether an event is of a type that this version knows. Later versions may send others; ignore them.
 * @example
 * ```ts
 * import { isKnownEvent, type ReceivedEvent } from "@reelmill/contracts/events";
 *
 * const event = { type: "video.ready" } as ReceivedEvent;
 * const later = { ...event, type: "video.restored" as string } as ReceivedEvent;
 * console.log(isKnownEvent(event), isKnownEvent(later)); // => true false
 * ```
 */
export function isKnownEvent(event: ReceivedEvent): event is WebhookEvent {
	return Object.hasOwn(events, event.type) || event.type === "webhook.test";
}

/**
 * The header of an endpoint's answer by which it asks for types of events that are not sent otherwise: a list with
 * commas. Each 2xx answer says it anew.
 */
export const askedEventsHeader = "Service-Events";

/** The two headers of a webhook's delivery. */
export const webhookHeaders = { signature: "Service-Signature", deliveryId: "Service-Delivery-Id" } as const;
