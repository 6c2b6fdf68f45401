import { isReelmillError } from "@reelmill/node";
import { type Forwarded, forward } from "../forward.ts";
import { heardEvents } from "../heard-events.ts";
import type { ServerParts } from "./server-parts.ts";

export type MadeUpEventsOptions = {
	domainId: string;
	/** The address that gets them. */
	url: string;
	/** Called with what came of each, and its body. */
	onForwarded(forwarded: Forwarded, body: string): void;
	/** Called with a sentence if no more of them can be heard. */
	note(text: string): void;
};

/**
 * Sends what `webhooks trigger` makes up to the address that gets the domain's webhooks: no webhook brings such an
 * event. It asks the engine itself, so nothing counts on the domain's rate limits. Resolves when every event from now
 * on is heard, with what ends it.
 */
export async function forwardMadeUpEvents(
	{ webhooks }: Pick<ReturnType<ServerParts["createEngine"]>, "webhooks">,
	{ domainId, url, onForwarded, note }: MadeUpEventsOptions,
): Promise<() => Promise<void>> {
	const stop = new AbortController();
	const { signal } = stop;
	const principal = { kind: "domain", domainId, keyId: null, sessionId: null } as const;
	const listen = (id: string, { received = [], ends = false }: { received?: readonly string[]; ends?: boolean } = {}) =>
		webhooks.listen(principal, id, { received: [...received], ends });
	const isDelivered = async (id: string): Promise<boolean> => {
		try {
			await webhooks.getDelivery(principal, id);
			return true;
		} catch (error) {
			if (isReelmillError(error, "delivery_not_found")) return false;
			throw error;
		}
	};
	const { promise: ready, resolve: onReady, reject } = Promise.withResolvers<unknown>();
	const forwardAll = async () => {
		const options = {
			intervalSeconds: 0.5,
			signal,
			onReady,
			onGap() {},
			onOutage: ({ message }: Error) => note(message),
		};
		for await (const event of heardEvents({ listen }, options))
			if (!(await isDelivered(event.id)))
				onForwarded(await forward(event, { url, secret: undefined, signal }), event.body);
	};
	const ended = forwardAll().catch((error: Error) => {
		if (!signal.aborted) note(`Events that \`webhooks trigger\` makes up are not forwarded any more: ${error.message}`);
		reject(error);
	});
	await ready;
	return async () => {
		stop.abort(new Error("The server stops."));
		await ended;
	};
}
