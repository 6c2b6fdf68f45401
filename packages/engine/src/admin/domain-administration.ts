import { type Domain, type DomainLimits, ReelmillError } from "@reelmill/contracts";
import sql, { join, raw } from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import { operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import { type DomainRow, type Domains, domainColumns, viewDomain } from "../domains/index.ts";
import { DatabaseError } from "../ports/index.ts";
import { sandboxSlug } from "../sandbox/index.ts";
import type { Parts } from "../system/index.ts";

export type DomainPage = { data: Domain[]; next_cursor: string | null };
export type DomainUpdate = {
	readonly slug?: string | undefined;
	readonly limits?: { readonly [K in keyof DomainLimits]?: DomainLimits[K] | undefined } | undefined;
};

export type DomainAdministration = {
	/**
	 * Returns a page of all domains, the sandbox's included, newest first.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	listDomains(request: PageRequest): Promise<DomainPage>;
	/**
	 * Changes the slug and the limits, and returns the domain. Values that are left out stay. A lower limit applies to
	 * what comes next and ends nothing. The audit log names what changed; it says nothing of an update that changed
	 * nothing.
	 *
	 * @throws {ReelmillError} `domain_not_found`; `slug_already_exists`; `validation_error` when the slug of the sandbox
	 * domain would change.
	 */
	updateDomain(id: string, update: DomainUpdate, by?: Actor): Promise<Domain>;
	/**
	 * Deletes a domain. Its keys end at once (on other servers within 2 s), its slug is free again, and the following
	 * sweeps delete its videos.
	 *
	 * @throws {ReelmillError} `domain_not_found`, also when it was deleted before; `sandbox_domain_protected`.
	 */
	deleteDomain(id: string, by?: Actor): Promise<void>;
};

export type DomainAdministrationOptions = {
	readonly pages: Pages;
	readonly domains: Domains;
	/** Called after a domain's deletion was committed. */
	readonly onDomainDeleted: () => void;
};

const limitNames = ["daily_upload_bytes", "storage_bytes_limit", "max_concurrent_processing"] as const;

export function createDomainAdministration(
	parts: Parts,
	{ pages, domains, onDomainDeleted }: DomainAdministrationOptions,
): DomainAdministration {
	const { database, clock } = parts;
	return {
		async listDomains(request) {
			const listing = { route: "listDomains", scope: operatorScope, filter: null } as const;
			const { rows, nextCursor } = await pages.read(listing, request, (keyset) =>
				database.query<DomainRow>(
					sql`select ${domainColumns} from reelmill.domains d where deleted_at is null ${keyset}`,
				),
			);
			return { data: rows.map(viewDomain), next_cursor: nextCursor };
		},
		async updateDomain(id, { slug, limits = {} }, by = engineActor) {
			if (slug !== undefined && slug !== sandboxSlug && (await domains.get(id)).slug === sandboxSlug) {
				throw new ReelmillError("validation_error", { message: "slug: the sandbox domain keeps its slug" });
			}
			const entry = {
				action: "domain.updated",
				resource: { kind: "domain", id, label: sql`(select slug from updated)` },
				domainId: id,
				changed: sql`(select array_agg(name order by name) from changed)`,
			} as const;
			const changes = limitNames.map(
				(name) =>
					sql`union all select ${`limits.${name}`}::text from before, updated where before.${raw(name)} <> updated.${raw(name)}`,
			);
			try {
				await database.query(sql`
					with before as (select * from reelmill.domains where id = ${id} and deleted_at is null for no key update),
					updated as (
						update reelmill.domains set slug = coalesce(${slug ?? null}, slug), daily_upload_bytes = coalesce(${limits.daily_upload_bytes ?? null}, daily_upload_bytes),
							storage_bytes_limit = coalesce(${limits.storage_bytes_limit ?? null}, storage_bytes_limit),
							max_concurrent_processing = coalesce(${limits.max_concurrent_processing ?? null}, max_concurrent_processing)
						where id in (select id from before) returning *),
					changed as (select 'slug' as name from before, updated where before.slug <> updated.slug ${join(changes, " ")}),
					${auditPart(parts, by, entry, sql`changed`)}
					select id from updated`);
			} catch (error) {
				if (error instanceof DatabaseError && error.constraint === "domains_slug")
					throw new ReelmillError("slug_already_exists", { cause: error });
				throw error;
			}
			return domains.get(id);
		},
		async deleteDomain(id, by = engineActor) {
			const entry = {
				action: "domain.deleted",
				resource: { kind: "domain", id, label: sql`(select slug from deleted)` },
				domainId: id,
			} as const;
			const deleted = await database.query(sql`
				with deleted as (
					update reelmill.domains set deleted_at = ${new Date(clock.now())} where id = ${id} and deleted_at is null and slug <> ${sandboxSlug} returning id, slug),
				ended as (delete from reelmill.domain_keys where domain_id in (select id from deleted) returning id),
				${auditPart(parts, by, entry, sql`deleted`)}
				select id from deleted`);
			if (deleted.length > 0) return onDomainDeleted();
			await domains.get(id);
			throw new ReelmillError("sandbox_domain_protected");
		},
	};
}
