import { type ErrorCode, ReelmillError, type SandboxSession } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { Chores } from "../background/index.ts";
import type { Domains } from "../domains/index.ts";
import type { Keys } from "../keys/index.ts";
import { type Ceilings, effectiveLimits } from "../limits/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange, VideoStore } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import { createSandboxPurge } from "./sandbox-purge.ts";
import { createSandboxRefusals } from "./sandbox-refusals.ts";

/** The built-in domain that all sandbox sessions share. */
export const sandboxSlug = "sandbox";
const sandboxLimits = {
	daily_upload_bytes: 5 * 1024 ** 3,
	storage_bytes_limit: 10 * 1024 ** 3,
	max_concurrent_processing: 2,
};

export type Sandbox = {
	/** Whether this installation has a sandbox. */
	readonly isOn: boolean;
	/**
	 * Creates a session in the sandbox domain and returns its key, which is shown once.
	 *
	 * @throws {ReelmillError} `not_found` when the installation has no sandbox.
	 */
	createSession(): Promise<SandboxSession>;
};

/** The sandbox, with what the engine's other nouns and its background need of it. */
export type SandboxNoun = Sandbox & {
	/** Creates the sandbox domain if there is none and the sandbox is on. Idempotent, also on many servers at once. */
	prepare(): Promise<void>;
	/** Called when a session was refused for what all sessions share. */
	onRefused(fault: ErrorCode): void;
	readonly chores: Chores;
};

export type SandboxOptions = {
	readonly isOn: boolean;
	readonly keys: Keys;
	readonly domains: Domains;
	readonly store: VideoStore;
	readonly windows: Pick<Windows, "sandbox">;
	readonly ceilings: Ceilings;
	/** For the changes that the purge makes. */
	readonly afterSweep: AfterChange;
};

export function createSandbox(parts: Parts, options: SandboxOptions): SandboxNoun {
	const { database, clock, random } = parts;
	const { isOn, keys, domains, store, windows, ceilings, afterSweep } = options;
	const sessionSeconds = windows.sandbox;
	return {
		isOn,
		onRefused: createSandboxRefusals(parts),
		chores: {
			purgeSandbox: createSandboxPurge(parts, { store, keepSeconds: sessionSeconds, afterChange: afterSweep }),
		},
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
