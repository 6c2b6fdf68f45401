import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";
import { Video } from "./video.ts";

export const eventTypes = ["video.ready", "video.failed", "video.expired", "video.cancelled"] as const;
export const EventType = z.enum(eventTypes);
export type EventType = z.infer<typeof EventType>;

/** The body that is sent to a domain's webhook_url. Every attempt and replay sends the same bytes. */
export const WebhookEvent = z.object({
	id: Id.meta({ description: "The delivery's id, stable across replays." }),
	type: EventType,
	created_at: Timestamp,
	domain_id: Id,
	data: z.object({ video: Video }),
});
export type WebhookEvent = z.infer<typeof WebhookEvent>;

export const deliveryStatuses = ["pending", "failed", "delivered"] as const;
export const DeliveryStatus = z.enum(deliveryStatuses);
export const DeliveryAttempt = z.object({
	attempted_at: Timestamp,
	response_status: z.int().nullable(),
	duration_ms: z.int(),
	error: z.string().nullable(),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
export const WebhookDelivery = z.object({
	id: Id,
	type: EventType,
	video_id: Id,
	status: DeliveryStatus,
	url: z.string(),
	attempts: z.array(DeliveryAttempt),
	attempt_count: z.int(),
	next_attempt_at: Timestamp.nullable(),
	created_at: Timestamp,
	delivered_at: Timestamp.nullable(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** One page of webhook deliveries, newest first. */
export const WebhookDeliveryPage = page(WebhookDelivery);
