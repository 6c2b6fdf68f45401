import type { CallOptions, Client } from "@reelmill/client";
import type { WebhookDelivery } from "@reelmill/contracts";
import { itemsOf, type Page, type PageOptions, pageQuery, signalOf } from "./pages.ts";

type Filter = { status?: WebhookDelivery["status"] };
export type ListDeliveriesOptions = CallOptions &
	Filter & {
		/** Deliveries fetched at a time, 1..100; 20 unless told. */
		pageSize?: number;
	};

export type WebhookDeliveries = {
	/**
	 * Every delivery of the log, newest first; pages are fetched as the iteration reaches them. Status `failed` means
	 * given up after six attempts.
	 */
	list(options?: ListDeliveriesOptions): AsyncIterableIterator<WebhookDelivery>;
	/** One page of the log. */
	page(options?: PageOptions & Filter): Promise<Page<WebhookDelivery>>;
	/**
	 * Grants exactly one further attempt, whatever the status, with the same id and body: receivers deduplicate on the
	 * event's `id`. `delivery_not_found` for an unknown id. Not repeated by itself when its answer was lost.
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
