import type { Credential } from "@reelmill/client";
import type { ReceivedEvent } from "@reelmill/contracts/events";
import { type VerifyWebhookOptions, verifyWebhook } from "./verify-webhook.ts";

/**
 * The domain's `whsec_` secret, or a function that returns it and is called for every request; undefined is a setting
 * that is missing, which the first request says.
 */
export type WebhookSecret = Credential;

type Told = Omit<VerifyWebhookOptions, "secret">;

/** Verifies webhooks. Without a secret of the SDK's own, each call needs one, or it does not compile. */
export type Webhooks = {
	/**
	 * Verifies a webhook request and returns its event, as `verifyWebhook` does.
	 * @throws {WebhookVerificationError} when the request must not be trusted; `reason` says why
	 */
	verify: (request: Told & { secret: string | undefined }) => Promise<ReceivedEvent>;
};

/** Verifies webhooks with the `webhookSecret` that the SDK was given. */
export type WebhooksWithSecret = Webhooks & {
	/**
	 * Verifies a webhook request with the SDK's `webhookSecret` and returns its event, as `verifyWebhook` does.
	 * @throws {WebhookVerificationError} when the request must not be trusted; `reason` says why
	 */
	verify: (request: Told) => Promise<ReceivedEvent>;
};

export const createWebhooks = (given: WebhookSecret): WebhooksWithSecret => ({
	async verify(request: Told & { secret?: string | undefined }) {
		const { secret = typeof given === "function" ? await given() : given } = request;
		return verifyWebhook({ ...request, secret });
	},
});
