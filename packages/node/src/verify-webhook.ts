import type { WebhookEvent } from "@reelmill/contracts";
import { signatureHeader, type VerifyOptions, verifySignature } from "@reelmill/webhooks";

/** A Fetch `Headers`, Node's `request.headers`, or a plain object; names in any case. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyWebhookOptions = Omit<VerifyOptions, "header"> & { headers: WebhookHeaders };

/**
 * The event that a webhook request tells, once its signature is proved. The same event may come more than once:
 * deduplicate on its `id`. Later versions may send further `type`s: leave unknown ones alone.
 * @throws WebhookVerificationError with a `reason` when the request must not be trusted
 */
export async function verifyWebhook({ headers, ...options }: VerifyWebhookOptions): Promise<WebhookEvent> {
	await verifySignature({ ...options, header: headerOf(headers, signatureHeader) });
	const { payload } = options;
	return JSON.parse(typeof payload === "string" ? payload : new TextDecoder().decode(payload)) as WebhookEvent;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
	if (headers instanceof Headers) return headers.get(name) ?? undefined;
	const value = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
	return typeof value === "string" ? value : value?.join(",");
}
