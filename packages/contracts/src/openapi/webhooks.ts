import { events, webhookHeaders } from "../events.ts";
import {
	type EventType,
	VideoCancelledEvent,
	VideoExpiredEvent,
	VideoFailedEvent,
	VideoReadyEvent,
} from "../resources/webhook-event.ts";
import type { DescribedOperation, Parameter } from "./document.ts";
import { reference } from "./named-schemas.ts";
import { pascal } from "./names.ts";

export const webhookTag = "Webhooks";

const eventBodies = {
	"video.ready": VideoReadyEvent,
	"video.failed": VideoFailedEvent,
	"video.expired": VideoExpiredEvent,
	"video.cancelled": VideoCancelledEvent,
} as const satisfies Record<EventType, unknown>;

const header = (name: string, description: string, example: string): Parameter => ({
	name,
	in: "header",
	required: true,
	description,
	schema: { type: "string" },
	example,
});

/** The two headers of a delivery, by their names among the components. */
export const webhookParameters = {
	ServiceSignature: header(
		webhookHeaders.signature,
		"`t=<unix seconds>,v1=<hex HMAC-SHA256>`; two `v1=` values for an hour after a rotation of the secret. Refuse a `t` more than 300 s away.",
		"t=1769860800,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
	),
	ServiceDeliveryId: header(
		webhookHeaders.deliveryId,
		"The delivery's id, the same on every attempt and replay.",
		"0d9b5c1a-3e2f-4a6b-9c8d-7e6f5a4b3c21",
	),
};

/** What an endpoint answers, by the names among the components. */
export const webhookResponses = {
	EventTaken: {
		status: "2XX",
		description: "The delivery is taken. Any other answer, a redirect, or none within 10 s is a failed attempt.",
	},
	EventRefused: { status: "4XX", description: "The attempt failed; it is repeated, six in all." },
};

/** Describes what is sent to a domain's `webhook_url`, by the type of the event. */
export function webhooks(): Record<EventType, { post: DescribedOperation }> {
	const described = (type: EventType): { post: DescribedOperation } => ({
		post: {
			operationId: `on${pascal(type)}`,
			tags: [webhookTag],
			summary: type,
			description: events[type],
			security: [],
			parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
			requestBody: {
				description: "The same bytes on every attempt and replay.",
				required: true,
				content: { "application/json": { schema: reference(eventBodies[type]) } },
			},
			responses: Object.fromEntries(
				Object.entries(webhookResponses).map(([name, { status }]) => [
					status,
					{ $ref: `#/components/responses/${name}` },
				]),
			),
		},
	});
	return Object.fromEntries((Object.keys(events) as EventType[]).map((type) => [type, described(type)])) as Record<
		EventType,
		{ post: DescribedOperation }
	>;
}
