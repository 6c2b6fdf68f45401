import type { ReceivedEvent } from "@reelmill/contracts/events";
import { signatureHeader, type VerifyOptions, verifySignature } from "@reelmill/webhooks";

/**
 * Anything with `get`, such as the `Headers` of the platform, undici or node-fetch; or Node's `request.headers`, or a
 * plain object. The case of names does not matter.
 */
export type WebhookHeaders =
	| { get(name: string): string | null | undefined }
	| Readonly<Record<string, string | readonly string[] | undefined>>;

/** What `verifyWebhook` needs: the raw body, the headers and the secret. */
export type VerifyWebhookOptions = Omit<VerifyOptions, "header"> & {
	/** The request's headers. */
	headers: WebhookHeaders;
};

/**
 * Verifies a webhook request and returns its event. The same event may arrive more than once: deduplicate on its `id`.
 * `switch (event.type)` tells what the event has: the video of `video.ready` has its `outputs`. Later versions may send
 * other types; such an event is returned as it was sent, typed as `UnknownEvent`. Ignore it.
 * @throws {WebhookVerificationError} when the request must not be trusted; `reason` says why
 * @example
 * ```ts
 * import { signWebhook, verifyWebhook } from "@reelmill/node";
 *
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * const payload = JSON.stringify({ id: "delivery-1", type: "video.ready" }); // the raw body of the request
 * const timestamp = Math.floor(Date.now() / 1000);
 * const headers = { "Service-Signature": await signWebhook({ payload, secrets: [secret], timestamp }) };
 *
 * const event = await verifyWebhook({ payload, headers, secret });
 * console.log(event.type); // => video.ready
 * ```
 */
export async function verifyWebhook({ headers, ...options }: VerifyWebhookOptions): Promise<ReceivedEvent> {
	await verifySignature({ ...options, header: headerOf(headers, signatureHeader) });
	const { payload } = options;
	return JSON.parse(typeof payload === "string" ? payload : new TextDecoder().decode(payload)) as ReceivedEvent;
}

function headerOf(headers: WebhookHeaders | undefined, name: string): string | null | undefined {
	if (typeof headers?.get === "function") return headers.get(name);
	// A promise is handed on: it is refused as what it is.
	if (headers && "then" in headers) return headers as never;
	const value = Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
	return typeof value === "string" ? value : value?.join(",");
}
