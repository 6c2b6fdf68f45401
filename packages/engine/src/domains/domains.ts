import {
	type Domain,
	type DomainConfigPatch,
	type DomainLimits,
	domainLimitDefaults,
	ReelmillError,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { Keys } from "../keys/index.ts";
import { DatabaseError, type WebhookTransport } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { configUpdate, noOutput } from "./config-update.ts";
import { createDomainKeys, type DomainKeys } from "./domain-keys.ts";
import { firstStorage } from "./first-storage.ts";
import { createRotations, type Rotations } from "./rotation.ts";
import { type DomainRow, domainColumns, viewDomain } from "./view.ts";

/** The tenants' domains: made, read, changed, rotated, deleted. */
export type Domains = Rotations &
	DomainKeys & {
		/**
		 * Creates a domain, and returns it with its API key, which is shown once.
		 *
		 * @throws {ReelmillError} `slug_already_exists`; `validation_error` when the slug isn't well-formed.
		 */
		create(
			input: { slug: string; limits?: Partial<DomainLimits> },
			by?: Actor,
		): Promise<{ domain: Domain; api_key: string }>;
		/**
		 * Returns the domain.
		 *
		 * @throws {ReelmillError} `domain_not_found`.
		 */
		get(id: string): Promise<Domain>;
		/** Returns the domain with this slug, or null. */
		findBySlug(slug: string): Promise<Domain | null>;
		/** Creates a domain without a key if none has the slug. Idempotent, also on many servers at once. */
		ensure(input: { slug: string; limits: DomainLimits }): Promise<void>;
		/** Adds an API key, which is valid beside the others until it is rotated. The key is shown once. */
		addKey(id: string, by?: Actor): Promise<{ api_key: string }>;
		/**
		 * Merges `patch` into the configuration (RFC 7396) and returns the whole domain. Two patches at once both take
		 * effect. The audit log names the fields that changed; it says nothing of a patch that changed none.
		 *
		 * @throws {ReelmillError} `validation_error` when `webhook_url` may not be reached, or when no output would be on;
		 * `domain_not_found`.
		 */
		updateConfig(id: string, patch: DomainConfigPatch, by?: Actor): Promise<Domain>;
	};

export function createDomains(
	parts: Parts,
	{
		keys,
		sealer,
		webhookTransport,
		windows,
		defaultLocation,
	}: {
		keys: Keys;
		sealer: Sealer;
		webhookTransport: WebhookTransport;
		windows: Pick<Windows, "rotationGrace">;
		/** The platform's location in which new domains store; null for the local storage. */
		defaultLocation: string | null;
	},
): Domains {
	const { database, clock, random } = parts;
	const read = async (condition: ReturnType<typeof sql>): Promise<Domain | null> => {
		const [row] = await database.query<DomainRow>(sql`
			select ${domainColumns} from reelmill.domains d where d.deleted_at is null and ${condition}`);
		return row === undefined ? null : viewDomain(row, clock.now());
	};
	const get = async (id: string): Promise<Domain> => {
		const domain = await read(sql`d.id = ${id}`);
		if (domain === null) throw new ReelmillError("domain_not_found");
		return domain;
	};

	return {
		...createDomainKeys(parts, { keys }),
		...createRotations(parts, { keys, sealer, graceSeconds: windows.rotationGrace }),
		get,
		findBySlug: (slug) => read(sql`d.slug = ${slug}`),
		async create({ slug, limits }, by = engineActor) {
			if (!/^[a-z0-9][a-z0-9-]{0,62}$/.test(slug))
				throw new ReelmillError("validation_error", { message: "slug must match ^[a-z0-9][a-z0-9-]{0,62}$" });
			const { daily_upload_bytes, storage_bytes_limit, max_concurrent_processing } = {
				...domainLimitDefaults,
				...limits,
			};
			const id = random.uuid();
			const key = keys.mint();
			const now = new Date(clock.now());
			const storage = firstStorage(parts, defaultLocation);
			const entry = { action: "domain.created", resource: { kind: "domain", id, label: slug }, domainId: id } as const;
			try {
				await database.query(sql`
					with domain as (
						insert into reelmill.domains (id, slug, config, daily_upload_bytes, storage_bytes_limit, max_concurrent_processing, created_at, storage_profile_id)
						values (${id}, ${slug}, ${{}}, ${daily_upload_bytes}, ${storage_bytes_limit}, ${max_concurrent_processing}, ${now}, ${storage.id}) returning id),
					${storage.part},
					${auditPart(parts, by, entry, sql`domain`)}
					insert into reelmill.domain_keys (hash, id, domain_id, last4, created_at) select ${key.hash}::bytea, ${key.id}::uuid, id, ${key.last4}::text, ${now}::timestamptz from domain`);
			} catch (error) {
				if (error instanceof DatabaseError && error.constraint === "domains_slug")
					throw new ReelmillError("slug_already_exists", { cause: error });
				throw error;
			}
			return { domain: await get(id), api_key: key.apiKey };
		},
		async ensure({ slug, limits }) {
			const storage = firstStorage(parts, defaultLocation);
			await database.query(sql`
				with domain as (
					insert into reelmill.domains (id, slug, config, daily_upload_bytes, storage_bytes_limit, max_concurrent_processing, created_at, storage_profile_id)
					values (${random.uuid()}, ${slug}, ${{}}, ${limits.daily_upload_bytes}, ${limits.storage_bytes_limit}, ${limits.max_concurrent_processing}, ${new Date(clock.now())}, ${storage.id})
					on conflict (slug) where deleted_at is null do nothing returning id),
				${storage.part}
				select id from domain`);
		},
		async addKey(id, by = engineActor) {
			const key = keys.mint();
			const label = sql`(select slug from reelmill.domains where id = ${id})`;
			const entry = { action: "domain.key_added", resource: { kind: "domain", id, label }, domainId: id } as const;
			const added = await database.query(sql`
				with added as (
					insert into reelmill.domain_keys (hash, id, domain_id, last4, created_at)
					select ${key.hash}::bytea, ${key.id}::uuid, d.id, ${key.last4}::text, ${new Date(clock.now())}::timestamptz from reelmill.domains d where d.id = ${id} and d.deleted_at is null
					returning id),
				${auditPart(parts, by, entry, sql`added`)}
				select id from added`);
			if (added.length === 0) throw new ReelmillError("domain_not_found");
			return { api_key: key.apiKey };
		},
		async updateConfig(id, patch, by = engineActor) {
			if (typeof patch.webhook_url === "string") {
				const refusal = webhookTransport.refusal(patch.webhook_url);
				if (refusal !== null) throw new ReelmillError("validation_error", { message: `webhook_url: ${refusal}` });
			}
			const [done] = await database.query<{ found: boolean; updated: boolean }>(
				configUpdate(parts, id, patch, { sealer, by }),
			);
			if (done?.found && !done.updated) throw noOutput();
			return get(id);
		},
	};
}
