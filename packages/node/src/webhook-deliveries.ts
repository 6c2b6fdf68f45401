import type { CallOptions, Client } from "@reelmill/client";
import type { WebhookDelivery } from "@reelmill/contracts";
import { itemsOf, type Page, type PageOptions, pageQuery, signalOf } from "./pages.ts";

type Filter = { status?: WebhookDelivery["status"] };
export type ListDeliveriesOptions = CallOptions &
	Filter & {
		/** How many deliveries one request fetches, 1 to 100 (default: 20). */
		pageSize?: number;
	};

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
};

export function createWebhookDeliveries(client: Client): WebhookDeliveries {
	const page = ({ status, ...options }: PageOptions & Filter = {}) =>
		client.call(
			"listWebhookDeliveries",
			{ query: { ...(status ? { status } : {}), ...pageQuery(options) } },
			signalOf(options),
		);
	return {
		page,
		list: ({ pageSize, ...options } = {}) =>
			itemsOf((cursor) =>
				page({
					...options,
					...(pageSize === undefined ? {} : { limit: pageSize }),
					...(cursor === undefined ? {} : { cursor }),
				}),
			),
		replay: (id, options) => client.call("replayWebhookDelivery", { params: { id } }, options),
	};
}
