import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

export const webhookHandlers = ({
	webhooks,
}: Engine): Pick<Handlers, "listWebhookDeliveries" | "replayWebhookDelivery"> => ({
	listWebhookDeliveries: ({ principal, input }) => webhooks.listDeliveries(principal, input.query),
	replayWebhookDelivery: ({ principal, input }) => webhooks.replay(principal, input.params.id),
});
