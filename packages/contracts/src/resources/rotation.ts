import * as z from "zod";
import { limits } from "../limits.ts";
import { Id, Timestamp } from "./common.ts";

/** The options of a rotation of a key. */
export const RotateKey = z.strictObject({
	grace_seconds: z.int().min(0).max(limits.rotationGraceSeconds).optional().meta({
		description:
			"How long the old key still works; 0 ends it at once (default: 3600, unless the operator chose otherwise).",
	}),
});
export type RotateKey = z.infer<typeof RotateKey>;

/** A new domain key, which is shown only here, and the time at which the old key stops working. */
export const KeyRotation = z.object({
	api_key: z.string().meta({ description: "The new key. Only a hash of it is kept." }),
	previous_key_expires_at: Timestamp.meta({ description: "When the old key stops working." }),
});
export type KeyRotation = z.infer<typeof KeyRotation>;

/** A key of a domain. Its text was shown when it was made, and never again. */
export const DomainKey = z.object({
	id: Id.meta({ description: "The key's id." }),
	last4: z.string().meta({ description: "The key's last four characters." }),
	created_at: Timestamp.meta({ description: "When it was made." }),
	expires_at: Timestamp.nullable().meta({
		description: "When its grace period ends, after a rotation; null for a current key.",
	}),
});
export type DomainKey = z.infer<typeof DomainKey>;

/** All keys that work now, newest first. */
export const DomainKeyList = z.object({ data: z.array(DomainKey).meta({ description: "The keys, newest first." }) });
export type DomainKeyList = z.infer<typeof DomainKeyList>;

/**
 * A new webhook secret, which is shown only here. Until `previous_secret_expires_at` each delivery has two signatures,
 * the new secret's first.
 */
export const WebhookSecretRotation = z.object({
	webhook_secret: z
		.string()
		.regex(/^whsec_/)
		.meta({ description: "The new secret." }),
	previous_secret_expires_at: Timestamp.nullable().meta({
		description: "When the old secret signs no more; null if there was none.",
	}),
});
export type WebhookSecretRotation = z.infer<typeof WebhookSecretRotation>;
