import type { CallOptions, Client } from "@reelmill/client";
import type { Domain, DomainConfigPatch, KeyRotation, LimitsView, Usage, WebhookSecretRotation } from "@reelmill/contracts";

export type DomainResource = {
	get(options?: CallOptions): Promise<Domain>;
	/** Merges the patch into the configuration and gives the whole domain: arrays replace, `outputs` merges. `validation_error` names the field. */
	updateConfig(patch: DomainConfigPatch, options?: CallOptions): Promise<Domain>;
	/**
	 * Mints a new key, shown this once. The one before works for an hour more; rotated twice within it, only the last two work.
	 * Not repeated by itself when its answer was lost: the key in use then still works for that hour, so rotate again.
	 * This SDK goes on with the key it has: hand `apiKey` in as a function to change it without a restart.
	 */
	rotateKey(options?: CallOptions): Promise<KeyRotation>;
	/** Mints a new webhook secret, shown this once. For an hour deliveries carry both signatures, so `verifyWebhook` passes with either secret. */
	rotateWebhookSecret(options?: CallOptions): Promise<WebhookSecretRotation>;
};

export const createDomainResource = (client: Client): DomainResource => ({
	get: (options) => client.call("getDomain", {}, options),
	updateConfig: (body, options) => client.call("updateDomainConfig", { body }, options),
	rotateKey: (options) => client.call("rotateDomainKey", {}, options),
	rotateWebhookSecret: (options) => client.call("rotateWebhookSecret", {}, options),
});

export type Limits = {
	/** The largest file and the longest video that this key may upload, the instance's ceilings applied. */
	get(options?: CallOptions): Promise<LimitsView>;
};
export const createLimits = (client: Client): Limits => ({ get: (options) => client.call("getLimits", {}, options) });

export type UsageResource = {
	/** What the domain used of its limits in this UTC day; bytes of pending uploads are taken off `remaining` at once. */
	get(options?: CallOptions): Promise<Usage>;
};
export const createUsage = (client: Client): UsageResource => ({ get: (options) => client.call("getUsage", {}, options) });
