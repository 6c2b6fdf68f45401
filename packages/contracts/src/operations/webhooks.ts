import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import { WebhookSecretRotation } from "../resources/rotation.ts";
import { DeliveryStatus, WebhookDelivery, WebhookDeliveryPage } from "../resources/webhook.ts";

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
		status: DeliveryStatus.optional(),
		limit: pageQuery.limit,
		cursor: z.string().min(1).optional().meta({ description: "next_cursor of the previous page, verbatim." }),
	}),
	success: { status: 200, body: WebhookDeliveryPage },
	errors: ["invalid_cursor"],
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
	params: z.strictObject({ id: z.string().meta({ description: "The delivery's id." }) }),
	success: { status: 200, body: WebhookDelivery },
	errors: ["delivery_not_found"],
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
	success: { status: 200, body: WebhookSecretRotation },
	errors: ["forbidden"],
});
