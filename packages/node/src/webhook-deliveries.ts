import type { CallOptions, Client } from "@reelmill/client";
import type { DeliveryType, ReplayAnswer, WebhookDelivery, WebhookDeliveryDetail } from "@reelmill/contracts";
import { callOf, listed, type Page, type PageOptions, pageQuery } from "./pages.ts";

type Filter = {
	status?: WebhookDelivery["status"];
	type?: DeliveryType;
	/** Only deliveries that tell of this video. */
	videoId?: string;
};
/** Which webhook deliveries are wanted. */
export type ListDeliveriesOptions = CallOptions &
	Filter & {
		/** How many deliveries one request fetches, 1 to 100 (default: 20). */
		pageSize?: number;
	};

/** The webhook log of the domain: read, and sent once more. */
export type WebhookDeliveries = {
	/**
	 * Yields every delivery of the log, newest first. Each page is fetched when the iteration reaches it. A delivery is
	 * `failed` after six attempts.
	 */
	list(options?: ListDeliveriesOptions): AsyncIterableIterator<WebhookDelivery>;
	/** Returns one page of the log. */
	page(options?: PageOptions & Filter): Promise<Page<WebhookDelivery>>;
	/**
	 * Requests exactly one further attempt, whatever the status. It sends the same id and body: receivers deduplicate on
	 * the event's `id`. The call is not retried if its answer was lost.
	 * @throws {ReelmillError} `delivery_not_found` when the id is unknown
	 */
	replay(id: string, options?: CallOptions): Promise<WebhookDelivery>;
	/**
	 * Returns a delivery with the body that it sends, and with what each of the last 20 attempts sent and got. An answer
	 * is the endpoint's own text.
	 * @throws {ReelmillError} `delivery_not_found` when the id is unknown
	 */
	get(id: string, options?: CallOptions): Promise<WebhookDeliveryDetail>;
	/**
	 * Requests one further attempt of each failed delivery whose event happened at `since` or later, and returns how many
	 * they are: at most 10,000, with `more` if there are others. With `dryRun` it only counts them. The call may be
	 * repeated: it passes over those that it made pending.
	 */
	replayFailed(options: CallOptions & { since: Date; dryRun?: boolean }): Promise<ReplayAnswer>;
	/**
	 * Sends one event of the type `webhook.test` to the domain's webhook, and returns its delivery.
	 * @throws {ReelmillError} `invalid_state` until the domain has a URL and a secret for webhooks
	 */
	sendTest(options?: CallOptions): Promise<WebhookDelivery>;
};

export function createWebhookDeliveries(client: Client): WebhookDeliveries {
	const page = ({ status, type, videoId, ...options }: PageOptions & Filter = {}) =>
		client.call(
			"listWebhookDeliveries",
			{
				query: {
					...(status ? { status } : {}),
					...(type ? { type } : {}),
					...(videoId ? { video_id: videoId } : {}),
					...pageQuery(options),
				},
			},
			callOf(options),
		);
	return {
		...listed(page),
		get: (id, options) => client.call("getWebhookDelivery", { params: { id } }, options),
		replayFailed: ({ since, dryRun = false, ...options }) =>
			client.call(
				"replayWebhookDeliveries",
				{ body: { since: since.toISOString(), dry_run: dryRun } },
				callOf(options),
			),
		sendTest: (options) => client.call("sendTestWebhook", {}, options),
		replay: (id, options) => client.call("replayWebhookDelivery", { params: { id } }, options),
	};
}
