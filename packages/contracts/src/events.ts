import type { EventType } from "./resources/webhook.ts";

/** When each webhook event is sent. This file imports nothing at run time. */
export const events = {
	"video.ready": "Processing finished; the payload has the full video with its playback URLs.",
	"video.failed":
		"Processing failed for good: retries exhausted, not processable, or timed out (failure_reason says which).",
	"video.expired": "The upload did not complete within its window.",
	"video.cancelled": "The video was cancelled, or deleted, while in flight.",
} as const satisfies Record<EventType, string>;

/** The two headers of a webhook's delivery. */
export const webhookHeaders = { signature: "Service-Signature", deliveryId: "Service-Delivery-Id" } as const;
