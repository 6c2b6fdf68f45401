import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "listWebhookDeliveries"
	| "getWebhookDelivery"
	| "replayWebhookDelivery"
	| "replayWebhookDeliveries"
	| "sendTestWebhook"
	| "listenToWebhooks"
	| "triggerWebhook";

export const webhookHandlers = ({ webhooks }: Engine): Pick<Handlers, Names> => ({
	listWebhookDeliveries: ({ principal, input }) => webhooks.listDeliveries(principal, input.query),
	replayWebhookDelivery: ({ principal, input }) => webhooks.replay(principal, input.params.id),
	getWebhookDelivery: ({ principal, input }) => webhooks.getDelivery(principal, input.params.id),
	replayWebhookDeliveries: ({ principal, input }) => webhooks.replayFailed(principal, input.body),
	sendTestWebhook: ({ principal }) => webhooks.sendTest(principal),
	listenToWebhooks: ({ principal, input }) => webhooks.listen(principal, input.params.id, input.body),
	triggerWebhook: ({ principal, input }) => webhooks.trigger(principal, input.body.type),
});
