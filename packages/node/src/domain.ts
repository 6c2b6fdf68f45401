import type { CallOptions, Client } from "@reelmill/client";
import type {
	Domain,
	DomainConfigPatch,
	DomainKeyList,
	FirstSteps,
	KeyRotation,
	LimitsView,
	Usage,
	UsageDays,
	WebhookSecretRotation,
} from "@reelmill/contracts";
import { callOf } from "./pages.ts";

/** The tenant's own domain: read, configured, its keys and secrets rotated. */
export type DomainResource = {
	/** Returns the domain with its configuration and limits. */
	get(options?: CallOptions): Promise<Domain>;
	/**
	 * Merges a patch into the configuration: arrays replace, `outputs` merges. Returns the whole domain.
	 * @throws {ReelmillError} `validation_error`, whose message names the field
	 */
	updateConfig(patch: DomainConfigPatch, options?: CallOptions): Promise<Domain>;
	/**
	 * Creates a new key, which is shown only here. The old key works for `graceSeconds` more, but may not rotate. This
	 * SDK keeps using the key that it was given: pass `apiKey` as a function to change it without a restart. The call is
	 * not retried if its answer was lost: the old key then still works for that time, and the operator can rotate it.
	 * @throws {ReelmillError} `forbidden` when the key in use was rotated
	 */
	rotateKey(options?: RotateKeyOptions): Promise<KeyRotation>;
	/** Returns the keys that work now, newest first, by their last four characters. */
	listKeys(options?: CallOptions): Promise<DomainKeyList>;
	/**
	 * Ends a key in its grace period at once.
	 * @throws {ReelmillError} `not_found` when no such key works, `invalid_state` for the current key
	 */
	endKey(id: string, options?: CallOptions): Promise<void>;
	/**
	 * Creates a new webhook secret, which is shown only here. For an hour deliveries have both signatures, so
	 * `verifyWebhook` accepts either secret.
	 * @throws {ReelmillError} `forbidden` when the key in use was rotated
	 */
	rotateWebhookSecret(options?: CallOptions): Promise<WebhookSecretRotation>;
};

/** How long the key before stays good, in seconds. */
export type RotateKeyOptions = CallOptions & {
	/**
	 * For how many seconds the old key still works, 0 to 3600; 0 ends a leaked key at once (default: 3600, or what the
	 * operator chose).
	 */
	graceSeconds?: number;
};

/** Makes the body of a rotation; none if there is nothing to say. */
export const graceOf = ({ graceSeconds }: RotateKeyOptions = {}): { body?: { grace_seconds: number } } =>
	graceSeconds === undefined ? {} : { body: { grace_seconds: graceSeconds } };

export const createDomainResource = (client: Client): DomainResource => ({
	get: (options) => client.call("getDomain", {}, options),
	updateConfig: (body, options) => client.call("updateDomainConfig", { body }, options),
	rotateKey: (options) => client.call("rotateDomainKey", graceOf(options), callOf(options)),
	listKeys: (options) => client.call("listDomainKeys", {}, options),
	endKey: async (id, options) => void (await client.call("endDomainKey", { params: { id } }, options)),
	rotateWebhookSecret: (options) => client.call("rotateWebhookSecret", {}, options),
});

/** What the domain's limits leave at the moment. */
export type Limits = {
	/** Returns the largest file and the longest video that this key may upload. */
	get(options?: CallOptions): Promise<LimitsView>;
};
export const createLimits = (client: Client): Limits => ({ get: (options) => client.call("getLimits", {}, options) });

/** What the domain has used. */
export type UsageResource = {
	/** Returns what the domain used of its limits in this UTC day. Pending uploads lower `remaining` at once. */
	get(options?: CallOptions): Promise<Usage>;
	/** Returns the usage of each UTC day, newest first, at most 400 days (default: today and the 29 days before). */
	days(options?: UsageDaysOptions): Promise<UsageDays>;
	/** Returns when the domain did for the first time what everybody begins with: upload, play, set a webhook. */
	firstSteps(options?: CallOptions): Promise<FirstSteps>;
};
/** Which days are wanted. */
export type UsageDaysOptions = CallOptions & {
	/** The first day, for example `2026-01-31`. */
	from?: string;
	/** The last day. */
	to?: string;
};
export const createUsage = (client: Client): UsageResource => ({
	get: (options) => client.call("getUsage", {}, options),
	days: ({ from, to, ...options } = {}) => {
		const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
		return client.call("listUsageDays", { query }, callOf(options));
	},
	firstSteps: (options) => client.call("getFirstSteps", {}, options),
});
