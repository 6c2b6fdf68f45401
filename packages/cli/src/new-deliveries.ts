import { setTimeout } from "node:timers/promises";
import { ConnectionError, isReelmillError, type Reelmill, type WebhookDelivery } from "@reelmill/node";

/**
 * How far back each look goes beyond the newest delivery seen: a delivery can appear in the log after one that is a
 * little younger.
 */
const overlapMilliseconds = 60_000;

export type NewDeliveriesOptions = {
	intervalSeconds: number;
	signal: AbortSignal;
	/** Called once the log's present end is known: what happens from now on is told. */
	onReady: () => void;
	/** Called for each look that found the service out of reach; it goes on looking. */
	onOutage: (error: Error) => void;
};

/**
 * Every delivery that enters the log from now on, in the order of their creation, each once. It ends only by the signal
 * or an answer that is final, both by throwing. Times are the service's own, so this machine's clock does not matter.
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
