import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";
import { eventTypes, testEventType, testVideoId } from "./webhook-event.ts";

/** The type of a delivered event. */
export const DeliveryType = z.enum([...eventTypes, testEventType]);
export type DeliveryType = z.infer<typeof DeliveryType>;

/** Says of a text that it is an event as JSON. */
const holdsEvent = {
	contentMediaType: "application/json",
	contentSchema: { $ref: "#/components/schemas/WebhookEvent" },
};

/** The states of a webhook delivery. */
export const deliveryStatuses = ["pending", "failed", "delivered"] as const;
/** Where a webhook delivery stands. */
export const DeliveryStatus = z.enum(deliveryStatuses);
/** One attempt of a webhook delivery: when, how long in milliseconds, and what came of it. */
export const DeliveryAttempt = z.object({
	attempted_at: Timestamp.meta({ description: "When it began." }),
	response_status: z
		.int()
		.nullable()
		.meta({ description: "The status that the endpoint answered; null if it gave none." }),
	duration_ms: z.int().meta({ description: "Milliseconds until the answer, or until the attempt was given up." }),
	error: z.string().nullable().meta({ description: "Why it failed, for people; null if the endpoint took it." }),
});
export type DeliveryAttempt = z.infer<typeof DeliveryAttempt>;
/** A webhook delivery in the log. */
export const WebhookDelivery = z.object({
	id: Id.meta({ description: "The delivery's id, the same on every attempt and replay." }),
	type: DeliveryType,
	video_id: Id.meta({ description: `Of a test event it is \`${testVideoId}\`, which is no video's.` }),
	status: DeliveryStatus.meta({ description: "Where the delivery stands; `failed` after six attempts." }),
	url: z.string().meta({ description: "The `webhook_url` of the time when the event happened." }),
	attempts: z
		.array(DeliveryAttempt)
		.meta({ description: "The attempts so far, the first one first; of many the last ones." }),
	attempt_count: z.int().meta({ description: "How many attempts there were." }),
	next_attempt_at: Timestamp.nullable().meta({ description: "When the next attempt is due; null if there is none." }),
	created_at: Timestamp.meta({ description: "When the event happened." }),
	delivered_at: Timestamp.nullable().meta({ description: "When the endpoint took it; null until then." }),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

/** One page of webhook deliveries, newest first. */
export const WebhookDeliveryPage = page(WebhookDelivery);

/** A header of a request or of an answer. */
export const MessageHeader = z.object({
	name: z.string().meta({ description: "In small letters." }),
	value: z.string().meta({ description: "As it was sent." }),
});
const MessageBody = z.object({
	text: z.string().meta({ description: "The bytes as `encoding` says." }),
	encoding: z.enum(["utf-8", "base64"]).meta({
		description: "`base64` if the bytes are no UTF-8; `text` is then their base64.",
	}),
	truncated: z.boolean().meta({ description: "True if the answer had more bytes than the 2048 that are kept." }),
});
/** What an attempt sent and what came back. The answer is the endpoint's own text: never trust it. */
export const DeliveryExchange = z.object({
	attempt: z.int().meta({ description: "Counts the delivery's attempts from 1." }),
	...DeliveryAttempt.shape,
	request: z
		.object({
			url: z.string().meta({ description: "Where it was sent." }),
			headers: z.array(MessageHeader).meta({
				description: "As they were sent. Of each signature only the first eight digits are kept.",
			}),
		})
		.nullable()
		.meta({ description: "Null if it isn't kept: of the last 20 attempts it is, since the service keeps it." }),
	response: z
		.object({
			headers: z.array(MessageHeader).meta({ description: "As they came." }),
			body: MessageBody.meta({ description: "The first 2048 bytes of the answer." }),
		})
		.nullable()
		.meta({ description: "Null if the endpoint gave no answer, or if it isn't kept." }),
});
export type DeliveryExchange = z.infer<typeof DeliveryExchange>;
/** A delivery with what each of its attempts sent and got, the first one first. */
export const WebhookDeliveryDetail = WebhookDelivery.extend({
	body: z.string().meta({ description: "The exact body that every attempt sends.", ...holdsEvent }),
	exchanges: z.array(DeliveryExchange).meta({ description: "The last 20 attempts, the first one first." }),
});
export type WebhookDeliveryDetail = z.infer<typeof WebhookDeliveryDetail>;

/** Which deliveries are to be replayed. */
export const ReplayRequest = z.strictObject({
	since: z.iso.datetime().meta({ description: "Deliveries whose event happened then or later." }),
	status: z
		.literal("failed")
		.default("failed")
		.meta({ description: "Only failed deliveries can be replayed together." }),
	dry_run: z.boolean().default(false).meta({ description: "Only counts them." }),
});
export type ReplayRequest = z.infer<typeof ReplayRequest>;
/** How many deliveries will be sent once more. */
export const ReplayAnswer = z.object({
	replayed: z.int().meta({ description: "How many get a further attempt; with `dry_run`, how many would." }),
	more: z.boolean().meta({ description: "True if there are more, for another call: one replays at most 10,000." }),
});
export type ReplayAnswer = z.infer<typeof ReplayAnswer>;

/** What a listener tells when it asks for events: which of those before it has. */
export const ListenRequest = z.strictObject({
	received: z.array(Id).max(100).default([]).meta({
		description: "Ids of events that an earlier answer had. They are forgotten; the others are answered again.",
	}),
	ends: z.boolean().default(false).meta({ description: "Ends the listener with this call, not two minutes later." }),
});
export type ListenRequest = z.infer<typeof ListenRequest>;
/** An event as a receiver gets it: the same bytes, and headers that hold for the moment of the answer. */
export const HeardEvent = z.object({
	id: Id.meta({ description: "The event's id; if it is delivered to `webhook_url` as well, the delivery's." }),
	type: DeliveryType,
	video_id: Id,
	created_at: Timestamp,
	body: z.string().meta({ description: "The exact body that was signed.", ...holdsEvent }),
	headers: z.array(MessageHeader).meta({
		description: "What a delivery sends, signed with the listeners' secret and with the domain's own.",
	}),
});
export type HeardEvent = z.infer<typeof HeardEvent>;
/** The events that a listener heard. */
export const HeardEvents = z.object({
	secret: z
		.string()
		.regex(/^whsec_/)
		.meta({ description: "What a local receiver verifies with: the same for all listeners of the domain, always." }),
	is_new: z.boolean().meta({ description: "True if this call began the listening: events before it were not heard." }),
	expires_at: Timestamp.meta({ description: "The listener ends then, unless it asks again." }),
	data: z.array(HeardEvent).meta({ description: "The oldest first, at most 100." }),
});
export type HeardEvents = z.infer<typeof HeardEvents>;

/** Which event is to be made up. */
export const TriggerRequest = z.strictObject({ type: DeliveryType });
export type TriggerRequest = z.infer<typeof TriggerRequest>;
/** The delivery that was triggered. */
export const TriggerAnswer = z.object({
	id: Id,
	type: DeliveryType,
	listeners: z.int().min(1).meta({ description: "How many listeners get the event." }),
});
export type TriggerAnswer = z.infer<typeof TriggerAnswer>;
