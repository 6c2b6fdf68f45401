import type { CallOptions, Client } from "@reelmill/client";
import type {
	Domain,
	DomainConfigPatch,
	KeyRotation,
	LimitsView,
	Usage,
	WebhookSecretRotation,
} from "@reelmill/contracts";
import { signalOf } from "./pages.ts";

export type DomainResource = {
	get(options?: CallOptions): Promise<Domain>;
	/**
	 * Merges the patch into the configuration and gives the whole domain: arrays replace, `outputs` merges.
	 * `validation_error` names the field.
	 */
	updateConfig(patch: DomainConfigPatch, options?: CallOptions): Promise<Domain>;
	/**
	 * Mints a new key, shown this once. The one before works for `graceSeconds` more, 0 to 3600 (default: an hour); 0
	 * ends a leaked one at once. It may not rotate meanwhile: that is `forbidden`. Not repeated by itself when its answer
	 * was lost: the key in use then still works for that time, and the operator can rotate it. This SDK goes on with the
	 * key it has: hand `apiKey` in as a function to change it without a restart.
	 */
	rotateKey(options?: RotateKeyOptions): Promise<KeyRotation>;
	/**
	 * Mints a new webhook secret, shown this once. For an hour deliveries carry both signatures, so `verifyWebhook`
	 * passes with either secret. `forbidden` for a key that was rotated.
	 */
	rotateWebhookSecret(options?: CallOptions): Promise<WebhookSecretRotation>;
};

export type RotateKeyOptions = CallOptions & {
	/** How long the key before still works (default: an hour, unless the operator chose otherwise). */
	graceSeconds?: number;
};

/** What a rotation of a key sends: a body where there is something to say. */
export const graceOf = ({ graceSeconds }: RotateKeyOptions = {}): { body?: { grace_seconds: number } } =>
	graceSeconds === undefined ? {} : { body: { grace_seconds: graceSeconds } };

export const createDomainResource = (client: Client): DomainResource => ({
	get: (options) => client.call("getDomain", {}, options),
	updateConfig: (body, options) => client.call("updateDomainConfig", { body }, options),
	rotateKey: (options) => client.call("rotateDomainKey", graceOf(options), signalOf(options)),
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
export const createUsage = (client: Client): UsageResource => ({
	get: (options) => client.call("getUsage", {}, options),
});
