import type { Engine } from "@reelmill/engine";

/** The secrets that sign the webhooks of each domain, the newest first, by the domains' ids. */
export type Secrets = ReadonlyMap<string, readonly string[]>;

/** Returns the engine, which from now on notes in `secrets` each secret that somebody sets or rotates. */
export function noteSecrets(engine: Engine, secrets: Map<string, readonly string[]>): Engine {
	const { domains } = engine;
	const rotateWebhookSecret: typeof domains.rotateWebhookSecret = async (...input) => {
		const rotated = await domains.rotateWebhookSecret(...input);
		const [id] = input;
		secrets.set(id, [rotated.webhook_secret, ...(secrets.get(id) ?? []).slice(0, 1)]);
		return rotated;
	};
	const updateConfig: typeof domains.updateConfig = async (...input) => {
		const updated = await domains.updateConfig(...input);
		const [id, { webhook_secret: secret }] = input;
		if (typeof secret === "string") secrets.set(id, [secret]);
		return updated;
	};
	return { ...engine, domains: { ...domains, rotateWebhookSecret, updateConfig } };
}
