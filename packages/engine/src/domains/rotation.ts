import { type KeyRotation, ReelmillError, type WebhookSecretRotation } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { Keys } from "../keys/index.ts";
import { mintSecret, type Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";

export type Rotations = {
	/**
	 * Replaces the API key and returns the new one, which is shown once. The previous key works for the grace period
	 * (`graceSeconds`; 0 ends it at once). A key that was in its grace period already ends at once, on other servers
	 * within 2 s.
	 *
	 * @throws {ReelmillError} `domain_not_found`; otherwise see {@link RotatedBy}.
	 */
	rotateKey(
		domainId: string,
		options?: RotatedBy & { readonly graceSeconds?: number | undefined },
		by?: Actor,
	): Promise<KeyRotation>;
	/**
	 * Replaces the webhook secret and returns the new one, which is shown once. During the grace period each delivery
	 * also carries a signature by the previous secret. If the secret is rotated twice within that time, the current and
	 * the previous one sign; the one before them ends at once.
	 *
	 * @throws {ReelmillError} `domain_not_found`; otherwise see {@link RotatedBy}.
	 */
	rotateWebhookSecret(domainId: string, options?: RotatedBy, by?: Actor): Promise<WebhookSecretRotation>;
};

/**
 * The id of the domain key that asks for the rotation; operators and people at the console leave it out, or say `null`.
 * A key in its grace period gets
 * `forbidden`. A key that ended meanwhile gets `unauthorized`: if one key rotates twice at once, one call succeeds.
 */
export type RotatedBy = { readonly byKey?: string | null };

type Fault = "domain_not_found" | "unauthorized" | "forbidden";
const inGrace = "A key in its grace period may not rotate; use the key that replaced it.";

export function createRotations(
	parts: Parts,
	{
		keys,
		sealer,
		graceSeconds,
	}: {
		keys: Keys;
		sealer: Sealer;
		/** The grace period, unless a rotation says otherwise. */
		graceSeconds: number;
	},
): Rotations {
	const { database, clock, random } = parts;
	const audited = (domainId: string, action: "domain.key_rotated" | "domain.webhook_secret_rotated", by: Actor) => {
		const label = sql`(select slug from reelmill.domains where id = ${domainId})`;
		const entry = { action, resource: { kind: "domain", id: domainId, label }, domainId } as const;
		return auditPart(parts, by, entry, sql`rotated where fault is null`);
	};
	const times = (seconds = graceSeconds) => {
		const now = new Date(clock.now());
		return { now, graceEnds: new Date(now.getTime() + seconds * 1000) };
	};
	const refuse = (fault: Fault | null | undefined): void => {
		if (fault) throw new ReelmillError(fault, fault === "forbidden" ? { message: inGrace } : {});
	};
	return {
		async rotateKey(domainId, { byKey, graceSeconds: asked } = {}, by = engineActor) {
			const key = keys.mint();
			const { now, graceEnds } = times(asked);
			const [row] = await database.query<{ fault: Fault | null }>(sql`
				with rotated as materialized (
					select reelmill.rotate_domain_key(${domainId}, ${byKey ?? null}, ${key.hash}, ${key.id}, ${key.last4}, ${now}, ${graceEnds}) as fault),
				${audited(domainId, "domain.key_rotated", by)}
				select fault from rotated`);
			refuse(row?.fault);
			keys.forgetAll();
			return { api_key: key.apiKey, previous_key_expires_at: graceEnds.toISOString() };
		},
		async rotateWebhookSecret(domainId, { byKey } = {}, by = engineActor) {
			const secret = mintSecret("whsec_", random);
			const { now, graceEnds } = times();
			const [row] = await database.query<{ fault: Fault | null; had_one: boolean | null }>(sql`
				with rotated as materialized (
					select * from reelmill.rotate_webhook_secret(${domainId}, ${byKey ?? null}, ${sealer.seal(secret)}, ${now}, ${graceEnds})),
				${audited(domainId, "domain.webhook_secret_rotated", by)}
				select * from rotated`);
			refuse(row?.fault);
			return { webhook_secret: secret, previous_secret_expires_at: row?.had_one ? graceEnds.toISOString() : null };
		},
	};
}
