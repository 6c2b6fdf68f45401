import type { CallOptions, Client } from "@reelmill/client";
import type { DeliveryType, HeardEvents, TriggerAnswer } from "@reelmill/contracts";
import { callOf } from "./pages.ts";

/** Hears events on a machine that no webhook reaches: what `reelmill webhooks listen` does. */
export type WebhookListeners = {
	/**
	 * Returns the events of the domain that this listener has not named in `received`, the oldest first, at most 100: the
	 * bytes and the headers as a delivery sends them. The first call with an id (a random UUID) begins the listening. A
	 * call with `ends` ends it; without one it ends two minutes after the last call. `is_new` of a later answer then says
	 * that events may be missing.
	 * @throws {ReelmillError} `invalid_state` when the domain has ten other listeners
	 */
	listen(id: string, options?: CallOptions & { received?: readonly string[]; ends?: boolean }): Promise<HeardEvents>;
	/**
	 * Makes up an event of this type for all listeners of the domain; its video is nobody's. Nothing goes to
	 * `webhook_url`.
	 * @throws {ReelmillError} `invalid_state` when nobody listens
	 */
	trigger(type: DeliveryType, options?: CallOptions): Promise<TriggerAnswer>;
};

export const createWebhookListeners = (client: Client): WebhookListeners => ({
	listen: (id, { received = [], ends = false, ...options } = {}) => {
		const body = { received: [...received], ...(ends && { ends }) };
		return client.call("listenToWebhooks", { params: { id }, body }, callOf(options));
	},
	trigger: (type, options) => client.call("triggerWebhook", { body: { type } }, options),
});
