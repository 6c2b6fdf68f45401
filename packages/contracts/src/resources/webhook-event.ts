import * as z from "zod";
import { Id, Timestamp } from "./common.ts";
import { FailureReason, Video, VideoOutputs } from "./video.ts";

/** The types of events that a video's life sends. */
export const eventTypes = ["video.ready", "video.failed", "video.expired", "video.cancelled", "video.updated"] as const;
/** What an event tells. */
export const EventType = z.enum(eventTypes);
export type EventType = z.infer<typeof EventType>;

/** The types that only listeners get, and endpoints that ask for them by the header `askedEventsHeader`. */
export const askedEventTypes = ["video.updated"] as const satisfies readonly EventType[];

/** What of a video may be changed after its upload. */
export const videoParts = ["captions", "chapters", "poster", "metadata"] as const;
/** A part of a video that was changed after its upload. */
export const VideoPart = z.enum(videoParts);
export type VideoPart = z.infer<typeof VideoPart>;

/** The type of the event that a tenant sends itself to try its endpoint. */
export const testEventType = "webhook.test";
/** The id of the video that a test event carries: it is nobody's. */
export const testVideoId = "00000000-0000-4000-8000-000000000000";

/**
 * Makes the body of one type of event. `known` is what the type says of its video, beyond what holds of any video, and
 * `told` what it has beside the video.
 */
const eventOf = <
	const Type extends string,
	Known extends z.ZodObject,
	Told extends z.ZodRawShape = Record<never, never>,
>(
	type: Type,
	known: Known,
	told: Told = {} as Told,
) =>
	z.object({
		id: Id.meta({ description: "The delivery's id, stable across replays." }),
		type: z.literal(type).meta({ description: "What happened." }),
		created_at: Timestamp.meta({ description: "When it happened." }),
		domain_id: Id.meta({ description: "The domain whose video it is." }),
		data: z
			.object({
				video: z.intersection(Video, known).meta({ description: "The video at the time of the event." }),
				...told,
			})
			.meta({ description: "What the event is about." }),
	});

const stateOf = <const State extends z.ZodType>(state: State): State =>
	state.meta({ description: "Where such a video stands." });

/** The video can be played. */
export const VideoReadyEvent = eventOf(
	"video.ready",
	z.object({ state: stateOf(z.literal("available")), outputs: VideoOutputs, available_at: Timestamp }),
);
export type VideoReadyEvent = z.infer<typeof VideoReadyEvent>;

/** The video's processing failed for good. */
export const VideoFailedEvent = eventOf(
	"video.failed",
	z.object({ state: stateOf(z.enum(["failed", "timeout"])), failure_reason: FailureReason }),
);
export type VideoFailedEvent = z.infer<typeof VideoFailedEvent>;

/** The video's upload came to nothing. */
export const VideoExpiredEvent = eventOf("video.expired", z.object({ state: stateOf(z.literal("expired")) }));
export type VideoExpiredEvent = z.infer<typeof VideoExpiredEvent>;

/** The video was cancelled, or deleted while it was in flight. */
export const VideoCancelledEvent = eventOf("video.cancelled", z.object({ state: stateOf(z.literal("cancelled")) }));
export type VideoCancelledEvent = z.infer<typeof VideoCancelledEvent>;

/** Something of the video was changed that is no move of its state. It is sent to those who ask for it. */
export const VideoUpdatedEvent = eventOf(
	"video.updated",
	z.object({ updated_at: Timestamp.meta({ description: "When it was changed." }) }),
	{
		changed: z
			.array(VideoPart)
			.min(1)
			.meta({ description: "What was changed, each once. Later versions may name others." }),
	},
);
export type VideoUpdatedEvent = z.infer<typeof VideoUpdatedEvent>;

/**
 * The event that `sendTestWebhook` sends, besides those that tell of videos. A receiver that doesn't know the type
 * ignores it. One that reads `data.video` whatever the type finds a whole video that is nobody's: `testVideoId`, in the
 * state `pending_upload`, of which there is nothing to be done.
 */
export const WebhookTestEvent = eventOf(testEventType, z.object({ state: stateOf(z.literal("pending_upload")) }));
export type WebhookTestEvent = z.infer<typeof WebhookTestEvent>;

/**
 * The body that is sent to a domain's webhook_url, of every type that this version knows: `type` tells them apart.
 * Every attempt and replay sends the same bytes.
 */
export const WebhookEvent = z.discriminatedUnion("type", [
	VideoReadyEvent,
	VideoFailedEvent,
	VideoExpiredEvent,
	VideoCancelledEvent,
	VideoUpdatedEvent,
	WebhookTestEvent,
]);
export type WebhookEvent = z.infer<typeof WebhookEvent>;
