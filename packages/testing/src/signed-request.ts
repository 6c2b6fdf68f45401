import { signatureHeader, signWebhook } from "@reelmill/webhooks";

/** What may be otherwise in a request than the service would send it. */
export type SignedRequestOptions = {
	/** When the request was signed, in Unix milliseconds (default: now). Verifiers refuse what is older than 300 s. */
	readonly signedAt?: number;
	/** A body that is sent as it is, for instance one that isn't JSON (default: `event` as JSON). */
	readonly body?: string;
};

/**
 * Makes the request that the service would send to `url`: a POST of the event as JSON, signed with `secret`, and with
 * the headers of a delivery. Give it to a handler that takes a `Request`, or send it with `fetch(request)`.
 *
 * @throws {TypeError} when `url` is no absolute URL, or `secret` is empty.
 * @example
 * ```ts
 * import { verifyWebhook } from "@reelmill/node";
 * import { signedRequest, webhookEvent } from "@reelmill/testing";
 *
 * const secret = "whsec_bm9ib2R5cyBzZWNyZXQ";
 * const request = await signedRequest("https://app.example.com/webhooks", webhookEvent("video.failed"), secret);
 * const event = await verifyWebhook({ payload: await request.text(), headers: request.headers, secret });
 * if (event.type === "video.failed") console.log(event.data.video.failure_reason); // => invalid_media
 * ```
 */
export async function signedRequest(
	url: string | URL,
	event: { readonly id: string },
	secret: string,
	{ signedAt = Date.now(), body = JSON.stringify(event) }: SignedRequestOptions = {},
): Promise<Request> {
	const signature = await signWebhook({ payload: body, secrets: [secret], timestamp: Math.floor(signedAt / 1000) });
	return new Request(url, {
		method: "POST",
		body,
		headers: {
			"content-type": "application/json",
			"user-agent": "Reelmill-Webhooks/0.0.0",
			"service-delivery-id": event.id,
			[signatureHeader]: signature,
		},
	});
}
