import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { IdText, pageQuery } from "../resources/common.ts";
import { WebhookSecretRotation } from "../resources/rotation.ts";
import {
	DeliveryStatus,
	DeliveryType,
	HeardEvents,
	ListenRequest,
	ReplayAnswer,
	ReplayRequest,
	TriggerAnswer,
	TriggerRequest,
	WebhookDelivery,
	WebhookDeliveryDetail,
	WebhookDeliveryPage,
} from "../resources/webhook.ts";
import { idParams } from "./id-params.ts";

export const listWebhookDeliveries = defineOperation({
	method: "GET",
	path: "/v1/webhook-deliveries",
	plane: "tenant",
	tag: "Webhooks",
	summary: "List webhook deliveries, newest first",
	description:
		"Status failed means dead-lettered after six attempts. A delivery stays listed for 30 days after its last attempt, unless the operator chose otherwise.",
	auth: "tenant",
	sandbox: "refused",
	query: z.strictObject({
		status: DeliveryStatus.optional().meta({ description: "Only deliveries of this status." }),
		type: DeliveryType.optional().meta({ description: "Only events of this type." }),
		video_id: IdText.length(36)
			.optional()
			.meta({ description: "Deliveries that tell of this video.", examples: ["5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10"] }),
		limit: pageQuery.limit,
		cursor: z
			.string()
			.min(1)
			.optional()
			.meta({ description: "next_cursor of the previous page, verbatim.", examples: ["eyJhdCI6IjIwMjYtMDEtMzEifQ"] }),
	}),
	success: { status: 200, body: WebhookDeliveryPage },
	errors: ["invalid_cursor"],
});

export const getWebhookDelivery = defineOperation({
	method: "GET",
	path: "/v1/webhook-deliveries/{id}",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Read a delivery with what each attempt sent and got",
	description:
		"Of the last 20 attempts the request's headers (the signature cut short), and the answer's headers and the first 2 kB of its body. They end with the delivery's row in the log.",
	auth: "tenant",
	sandbox: "refused",
	params: idParams("delivery"),
	success: { status: 200, body: WebhookDeliveryDetail },
	errors: ["delivery_not_found"],
});

export const replayWebhookDelivery = defineOperation({
	method: "POST",
	path: "/v1/webhook-deliveries/{id}/replay",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Deliver an event once more",
	description:
		"Grants exactly one further attempt, whatever the status, with the same delivery id and the same body. Receivers must be idempotent on that id. One that is no longer in the log is `delivery_not_found`.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "sends again what was sent; the log of deliveries has it",
	params: idParams("delivery"),
	success: { status: 200, body: WebhookDelivery },
	errors: ["delivery_not_found"],
});

export const replayWebhookDeliveries = defineOperation({
	method: "POST",
	path: "/v1/webhook-deliveries/replay",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Deliver once more all that failed since a time",
	description:
		"Grants each failed delivery whose event happened at `since` or later one further attempt, the oldest first, and answers how many they are. Those that it made pending are passed over by a second call, so that it may be repeated.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "sends again what was sent; the log of deliveries has it",
	body: ReplayRequest,
	success: { status: 200, body: ReplayAnswer },
	errors: [],
});

export const sendTestWebhook = defineOperation({
	method: "POST",
	path: "/v1/domain/test-webhook",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Send a test event to the webhook",
	description:
		"Sends one signed event of the type `webhook.test` to `webhook_url`, and answers its delivery. The body is that of the other events; its video is nobody's. It is tried once, logged as any delivery, and may be replayed. `invalid_state` until both URL and secret are set.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "sends a test; the log of deliveries has it",
	success: { status: 201, body: WebhookDelivery },
	errors: ["invalid_state"],
});

export const listenToWebhooks = defineOperation({
	method: "POST",
	path: "/v1/webhook-listeners/{id}/events",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Hear events on a machine that can't be reached",
	description:
		"Answers the events that happened since the listener's first call, each until it is named in `received`. The listener is begun by its first call, with a random id of the caller's, and ends with a call that says `ends`, or two minutes after its last one. It hears whether or not the domain has a webhook, and changes nothing of the deliveries to `webhook_url`. `invalid_state` if the domain has ten other listeners.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "hears for two minutes, and keeps nothing after that",
	params: z.strictObject({
		id: z
			.uuidv4()
			.toLowerCase()
			.meta({
				description: "The listener's id: a random one of the caller's.",
				minLength: 36,
				maxLength: 36,
				examples: ["7d1f0e7c-1b0a-4f57-9a64-9f2a1c1c0f10"],
			}),
	}),
	body: ListenRequest,
	success: { status: 200, body: HeardEvents },
	errors: ["invalid_state"],
});

export const triggerWebhook = defineOperation({
	method: "POST",
	path: "/v1/webhook-listeners/trigger",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Make up an event for the listeners",
	description:
		"Gives every listener of the domain one event of the type, whole and signed; its video is nobody's. Nothing is sent to `webhook_url`. `invalid_state` if nobody listens.",
	auth: "tenant",
	sandbox: "refused",
	unaudited: "makes up an event for listeners; nothing happened",
	body: TriggerRequest,
	success: { status: 201, body: TriggerAnswer },
	errors: ["invalid_state"],
});

export const rotateWebhookSecret = defineOperation({
	method: "POST",
	path: "/v1/domain/rotate-webhook-secret",
	plane: "tenant",
	tag: "Webhooks",
	summary: "Mint a new webhook secret",
	description:
		"Shows the new secret this once. For 1 hour deliveries carry two signatures, the new secret's first. `forbidden` for a key in its grace period.",
	auth: "tenant",
	sandbox: "refused",
	audit: "domain.webhook_secret_rotated",
	success: { status: 200, body: WebhookSecretRotation },
	errors: ["forbidden"],
});
