import { type KeyRotation, ReelmillError, type WebhookSecretRotation } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Keys } from "../keys/index.ts";
import type { Clock, Database, Random } from "../ports/index.ts";
import { mintSecret, type Sealer } from "../secrets/index.ts";

export type Rotations = {
	/** A new API key, shown once. The one before works for the grace; one that was in its grace already ends at once (elsewhere within 2 s). Throws `domain_not_found`. */
	rotateKey(domainId: string): Promise<KeyRotation>;
	/** A new webhook secret, shown once. For the grace each delivery carries a signature of the one before as well. Throws `domain_not_found`. */
	rotateWebhookSecret(domainId: string): Promise<WebhookSecretRotation>;
};

export function createRotations({
	database,
	clock,
	random,
	keys,
	sealer,
	graceSeconds,
}: {
	database: Database;
	clock: Clock;
	random: Random;
	keys: Keys;
	sealer: Sealer;
	graceSeconds: number;
}): Rotations {
	const times = () => {
		const now = new Date(clock.now());
		return { now, graceEnds: new Date(now.getTime() + graceSeconds * 1000) };
	};
	return {
		async rotateKey(domainId) {
			const key = keys.mint();
			const { now, graceEnds } = times();
			const [row] = await database.query<{ rotated: boolean }>(sql`
				select reelmill.rotate_domain_key(${domainId}, ${key.hash}, ${key.id}, ${key.last4}, ${now}, ${graceEnds}) as rotated`);
			if (!row?.rotated) throw new ReelmillError("domain_not_found");
			return { api_key: key.apiKey, previous_key_expires_at: graceEnds.toISOString() };
		},
		async rotateWebhookSecret(domainId) {
			const secret = mintSecret("whsec_", random);
			const { graceEnds } = times();
			const [rotated] = await database.query<{ had_one: boolean }>(sql`
				update reelmill.domains set previous_webhook_secret = webhook_secret, webhook_secret = ${sealer.seal(secret)},
					previous_webhook_secret_expires_at = case when webhook_secret is null then null else ${graceEnds}::timestamptz end
				where id = ${domainId} and deleted_at is null returning previous_webhook_secret is not null as had_one`);
			if (rotated === undefined) throw new ReelmillError("domain_not_found");
			return { webhook_secret: secret, previous_secret_expires_at: rotated.had_one ? graceEnds.toISOString() : null };
		},
	};
}
