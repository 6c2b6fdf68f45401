import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { ConnectionError, type HeardEvents, isReelmillError, type Reelmill } from "@reelmill/node";

export type HeardEvent = HeardEvents["data"][number];

export type HeardEventsOptions = {
	intervalSeconds: number;
	signal: AbortSignal;
	/** Called with the listeners' secret when every event from now on is yielded. */
	onReady: (secret: string) => void;
	/** Called when the service had forgotten the listener: events may be missing. */
	onGap: () => void;
	/** Called for each request that can't reach the service. Others follow. */
	onOutage: (error: Error) => void;
};

/**
 * Yields every event that happens from now on, in order. An event is confirmed once the next one is asked for, so none
 * is lost if this process is killed while it handles one. It ends only by throwing: the signal's reason, or the error
 * of a final answer. However it ends, it tells the service so, which would otherwise keep events for two more minutes.
 */
export async function* heardEvents(
	listeners: Pick<Reelmill["webhookListeners"], "listen">,
	{ intervalSeconds, signal, onReady, onGap, onOutage }: HeardEventsOptions,
): AsyncGenerator<HeardEvent, never> {
	const id = randomUUID();
	let received: string[] = [];
	let isFirst = true;
	try {
		for (;;) {
			let data: readonly HeardEvent[] = [];
			try {
				const answer = await listeners.listen(id, { received, signal });
				if (isFirst) onReady(answer.secret);
				else if (answer.is_new) onGap();
				isFirst = false;
				received = [];
				data = answer.data;
			} catch (error) {
				if (!(error instanceof Error) || isFirst || !passes(error)) throw error;
				onOutage(error);
			}
			for (const event of data) {
				yield event;
				received.push(event.id);
			}
			if (data.length === 0)
				await setTimeout(intervalSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted());
		}
	} finally {
		if (!isFirst) await endListening(listeners, id, received);
	}
}

/** Seconds. Whoever stops the command does not wait longer for a service that is away. */
const goodbyeSeconds = 2;

/** Ends a listener. If the service can't be told, the listener ends by itself two minutes later. */
export const endListening = (
	listeners: Pick<Reelmill["webhookListeners"], "listen">,
	id: string,
	received: readonly string[],
): Promise<unknown> =>
	listeners.listen(id, { received, ends: true, timeoutSeconds: goodbyeSeconds, retries: 0 }).catch(() => undefined);

const passes = (error: Error): boolean =>
	error instanceof ConnectionError ||
	(isReelmillError(error) && (error.status >= 500 || error.code === "rate_limited"));
