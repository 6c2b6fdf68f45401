import { ReelmillError, type SandboxSession } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Domains } from "../domains/index.ts";
import type { Keys } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { Parts } from "../system/index.ts";

/** The built-in domain that all sandbox sessions share. */
export const sandboxSlug = "sandbox";
const sandboxLimits = {
	daily_upload_bytes: 5 * 1024 ** 3,
	storage_bytes_limit: 10 * 1024 ** 3,
	max_concurrent_processing: 2,
};

export type Sandbox = {
	/** Whether there is one: the installation can do without. */
	readonly isOn: boolean;
	/**
	 * A session of its own in the sandbox domain, and its key, which is shown once. Throws `not_found` where there is no
	 * sandbox.
	 */
	createSession(): Promise<SandboxSession>;
};

export function createSandbox(
	{ database, clock, random }: Parts,
	{
		isOn,
		keys,
		domains,
		sessionSeconds,
		ceilings,
	}: {
		isOn: boolean;
		keys: Keys;
		domains: Domains;
		sessionSeconds: number;
		ceilings: Ceilings;
	},
): Sandbox & { prepare(): Promise<void> } {
	return {
		isOn,
		/** Makes the sandbox domain where there is none and one is wanted. By many servers at once, it is made once. */
		async prepare() {
			if (isOn) await domains.ensure({ slug: sandboxSlug, limits: sandboxLimits });
		},
		async createSession() {
			if (!isOn) throw new ReelmillError("not_found");
			const key = keys.mint();
			const now = clock.now();
			const expiresAt = new Date(now + sessionSeconds * 1000);
			const added = await database.query(sql`
				insert into reelmill.domain_keys (hash, id, domain_id, session_id, last4, created_at, expires_at)
				select ${key.hash}::bytea, ${key.id}::uuid, d.id, ${random.uuid()}::uuid, ${key.last4}::text, ${new Date(now)}::timestamptz, ${expiresAt}::timestamptz
				from reelmill.domains d where d.slug = ${sandboxSlug} and d.deleted_at is null returning domain_id`);
			const domainId = added[0]?.["domain_id"];
			if (typeof domainId !== "string")
				throw new ReelmillError("internal_error", { message: "the sandbox domain is missing" });
			const { config } = await domains.get(domainId);
			return {
				api_key: key.apiKey,
				expires_at: expiresAt.toISOString(),
				limits: effectiveLimits(config, ceilings, true),
			};
		},
	};
}
