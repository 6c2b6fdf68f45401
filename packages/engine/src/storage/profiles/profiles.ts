import sql, { type Sql } from "sql-template-tag";
import { type Actor, auditPart } from "../../audit/index.ts";
import { createBriefCache } from "../../caches/index.ts";
import type { Parts } from "../../system/index.ts";
import type { PlatformChoice, TenantChoice } from "./choice.ts";
import type { ProfileRow } from "./profile.ts";

/** Keys that other servers rotated are seen within this time. */
const stalenessMilliseconds = 2000;

export type Current = { readonly version: number; readonly row: ProfileRow | null };
/**
 * What is saved of a choice. `secret` is sealed; it and the key's id are `null` if the place keeps the key that it has.
 */
export type Saving =
	| PlatformChoice
	| (Omit<TenantChoice, "key"> & { readonly access_key_id: string | null; readonly secret: string | null });

export type Profiles = {
	/** Returns the domain's current profile and the count of its places so far; `null` if the domain does not exist. */
	current(domainId: string): Promise<Current | null>;
	/** Returns the profile, at most 2 s old. */
	find(id: string): Promise<ProfileRow | null>;
	forget(id: string): void;
	/** Returns the key that a tenant's bucket was last given, sealed; `null` if the domain never had the bucket. */
	keyOf(
		domainId: string,
		place: Pick<TenantChoice, "endpoint" | "region" | "bucket">,
	): Promise<{ access_key_id: string; secret: string } | null>;
	/**
	 * Makes this profile the domain's current one; `null` selects the local disk, and is not audited if the domain stores
	 * there already. Returns false if the domain does not exist.
	 */
	choose(domainId: string, saving: Saving | null, by: Actor): Promise<boolean>;
};

export function createProfiles(parts: Parts): Profiles {
	const { database, clock, random } = parts;
	const cache = createBriefCache<ProfileRow | null>({ clock, max: 10_000, milliseconds: stalenessMilliseconds });
	const read = (condition: Sql): Promise<ProfileRow[]> =>
		database.query<ProfileRow>(sql`select p.* from reelmill.storage_profiles p where ${condition}`);

	return {
		find: (id) => cache.get(id, async () => (await read(sql`p.id = ${id}`))[0] ?? null),
		forget: cache.forget,
		async current(domainId) {
			const [row] = await database.query<ProfileRow & { storage_version: number }>(sql`
				select p.*, d.storage_version from reelmill.domains d left join reelmill.storage_profiles p on p.id = d.storage_profile_id
				where d.id = ${domainId} and d.deleted_at is null`);
			if (row === undefined) return null;
			const { storage_version: version, ...profile } = row;
			return { version, row: profile.id === null ? null : profile };
		},
		async keyOf(domainId, { endpoint, region, bucket }) {
			const [row] = await read(sql`
				p.domain_id = ${domainId} and p.backend = 's3_tenant' and p.endpoint is not distinct from ${endpoint} and p.region = ${region} and p.bucket = ${bucket} limit 1`);
			return row?.access_key_id && row.secret ? { access_key_id: row.access_key_id, secret: row.secret } : null;
		},
		async choose(domainId, saving, by) {
			const profile =
				saving === null
					? {}
					: {
							id: random.uuid(),
							...(saving.backend === "s3_platform"
								? { backend: saving.backend, location_id: saving.location.id }
								: saving),
						};
			const entry = {
				action: saving === null ? "storage.reverted" : "storage.chosen",
				resource: { kind: "domain", id: domainId, label: sql`(select slug from before)` },
				domainId,
			} as const;
			const took = sql`chosen, before where chosen and (${saving !== null}::boolean or storage_profile_id is not null)`;
			const [row] = await database.query<{ chosen: boolean }>(sql`
				with before as materialized (select slug, storage_profile_id from reelmill.domains where id = ${domainId}),
				chosen as materialized (
					select reelmill.choose_storage(${domainId}::uuid, ${profile}::jsonb, ${new Date(clock.now())}::timestamptz) as chosen),
				${auditPart(parts, by, entry, took)}
				select chosen from chosen`);
			cache.forgetAll();
			return row?.chosen === true;
		},
	};
}
