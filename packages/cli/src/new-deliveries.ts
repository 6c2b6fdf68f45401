import { setTimeout } from "node:timers/promises";
import { ConnectionError, isReelmillError, type Reelmill, type WebhookDelivery } from "@reelmill/node";

/**
 * How far each request looks back beyond the newest known delivery: a delivery may enter the log after a slightly
 * younger one.
 */
const overlapMilliseconds = 60_000;

export type NewDeliveriesOptions = {
	intervalSeconds: number;
	signal: AbortSignal;
	/** Called when the log's end is known: every delivery from now on is yielded. */
	onReady: () => void;
	/** Called for each request that can't reach the service. Others follow. */
	onOutage: (error: Error) => void;
};

/**
 * Yields every delivery that enters the log from now on, once each, in the order of their creation. It ends only by
 * throwing: the signal's reason, or the error of a final answer. This machine's clock does not matter, because all
 * times are the service's.
 */
export async function* newDeliveries(
	deliveries: Reelmill["webhookDeliveries"],
	options: NewDeliveriesOptions,
): AsyncGenerator<WebhookDelivery, never> {
	const { intervalSeconds, signal, onReady, onOutage } = options;
	const seen = new Map<string, number>();
	const [last] = (await deliveries.page({ limit: 1, signal })).data;
	let newest = last === undefined ? Number.NEGATIVE_INFINITY : Date.parse(last.created_at);

	const look = async (): Promise<WebhookDelivery[]> => {
		const found: WebhookDelivery[] = [];
		for await (const delivery of deliveries.list({ signal })) {
			if (Date.parse(delivery.created_at) < newest - overlapMilliseconds) break;
			if (!seen.has(delivery.id)) found.push(delivery);
		}
		for (const { id, created_at } of found) seen.set(id, Date.parse(created_at));
		newest = Math.max(newest, ...seen.values());
		for (const [id, at] of seen) if (at < newest - overlapMilliseconds) seen.delete(id);
		return found.reverse();
	};

	if (last !== undefined) await look();
	onReady();
	while (true) {
		await setTimeout(intervalSeconds * 1000, undefined, { signal });
		try {
			yield* await look();
		} catch (error) {
			if (!(error instanceof Error) || !passes(error)) throw error;
			onOutage(error);
		}
	}
}

const passes = (error: Error): boolean =>
	error instanceof ConnectionError ||
	(isReelmillError(error) && (error.status >= 500 || error.code === "rate_limited"));
