import type { OpenAPIRegistry } from "@asteasolutions/zod-to-openapi";
import { askedEventsHeader, events } from "../events.ts";
import { examples } from "./examples.ts";
import { eventHeaders, header } from "./headers.ts";
import { uri } from "./named-schemas.ts";
import { pascal } from "./names.ts";

export const webhookTag = "Webhooks";

/** Describes what is sent to a domain's `webhook_url`, by the type of the event, and what an endpoint answers. */
export function registerWebhooks(registry: OpenAPIRegistry): void {
	const taken = registry.registerComponent("responses", "EventTaken", {
		description: "The delivery is taken. Any other answer, a redirect, or none within 10 s is a failed attempt.",
		headers: { [askedEventsHeader]: header(askedEventsHeader) },
	});
	const refused = registry.registerComponent("responses", "EventRefused", {
		description: "The attempt failed; it is repeated, six in all.",
	});
	for (const [type, description] of Object.entries(events))
		registry.registerWebhook({
			method: "post",
			path: type,
			operationId: `on${pascal(type)}`,
			tags: [webhookTag],
			summary: type,
			description,
			security: [],
			parameters: [...eventHeaders],
			request: {
				body: {
					description: "The same bytes on every attempt and replay.",
					required: true,
					content: {
						"application/json": {
							schema: { $ref: uri(`${pascal(type)}Event`) },
							example: examples[`${pascal(type)}Event` as keyof typeof examples],
						},
					},
				},
			},
			responses: { "2XX": taken.ref, "4XX": refused.ref },
		});
}
