import {
	type AuditAction,
	type AuditActorKind,
	type AuditEntry,
	type AuditPage,
	type AuditResourceKind,
	canonicalId,
} from "@reelmill/contracts";
import sql, { empty, type Sql } from "sql-template-tag";
import { type Listing, operatorScope, type PageRequest, type Pages } from "../cursors/index.ts";
import type { Scope } from "../keys/index.ts";
import type { Parts } from "../system/index.ts";

/** What a list of changes is narrowed to. What is left out counts as any. */
export type AuditFilter = {
	/** An actor's id or label. */
	readonly actor?: string | undefined;
	readonly action?: AuditAction | undefined;
	readonly resource_id?: string | undefined;
};

/** The log of who changed what. Entries are written by the changes themselves, and never changed. */
export type Audit = {
	/**
	 * Returns a page of all changes of the installation, or of one domain, newest first. The changes of a domain that is
	 * gone stay.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	list(request: PageRequest & AuditFilter & { readonly domain_id?: string | undefined }): Promise<AuditPage>;
	/**
	 * Returns a page of the changes of the tenant's domain, newest first. Of an operator's changes it says `operator`,
	 * and neither id nor address.
	 *
	 * @throws {ReelmillError} `invalid_cursor`; `validation_error` when the limit is outside 1 to 100.
	 */
	listOfDomain(scope: Scope, request: PageRequest & AuditFilter): Promise<AuditPage>;
};

type Row = {
	id: string;
	created_at: Date;
	actor_kind: AuditActorKind;
	actor_id: string | null;
	actor_label: string;
	by_operator: boolean;
	action: AuditAction;
	resource_kind: AuditResourceKind;
	resource_id: string;
	resource_label: string | null;
	changed: string[];
	domain_id: string | null;
	address: string | null;
	request_id: string | null;
};

const operator = "operator";

/** A viewer's name may be a UUID in capitals, and stands in the log as its tenant wrote it. */
function ofResource(given: string): Sql {
	const id = canonicalId(given);
	return id === given ? sql`resource_id = ${given}` : sql`resource_id in (${given}, ${id})`;
}
const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

export function createAudit({ database }: Pick<Parts, "database">, { pages }: { pages: Pages }): Audit {
	const read = async (
		listing: Omit<Listing, "filter">,
		{ cursor, limit, ...filter }: PageRequest & AuditFilter & { readonly domain_id?: string | undefined },
		condition: Sql,
		actorIs: (actor: string) => Sql,
	): Promise<readonly [readonly Row[], string | null]> => {
		const { actor, action, resource_id: resourceId } = filter;
		const conditions = sql`${condition}
			${actor === undefined ? empty : sql`and ${actorIs(actor)}`}
			${action === undefined ? empty : sql`and action = ${action}`}
			${resourceId === undefined ? empty : sql`and ${ofResource(resourceId)}`}`;
		const { rows, nextCursor } = await pages.read(
			{ ...listing, filter: JSON.stringify(filter) },
			{ cursor, limit },
			(keyset) => database.query<Row>(sql`select * from reelmill.audit where ${conditions} ${keyset}`),
		);
		return [rows, nextCursor];
	};
	const byIdOrLabel = (actor: string): Sql => {
		const id = canonicalId(actor);
		return isUuid(id) ? sql`actor_id = ${id}` : sql`actor_label = ${actor}`;
	};

	return {
		async list(request) {
			const { domain_id: domainId } = request;
			const listing = { route: "listAudit", scope: operatorScope } as const;
			const ofDomain = domainId === undefined ? sql`true` : sql`domain_id = ${domainId}`;
			const [rows, nextCursor] = await read(listing, request, ofDomain, byIdOrLabel);
			return { data: rows.map(view), next_cursor: nextCursor };
		},
		async listOfDomain(scope, request) {
			const listing = { route: "listDomainAudit", scope } as const;
			const [rows, nextCursor] = await read(listing, request, sql`domain_id = ${scope.domainId}`, (actor) =>
				actor === operator ? sql`by_operator` : sql`not by_operator and ${byIdOrLabel(actor)}`,
			);
			return { data: rows.map(viewForTenant), next_cursor: nextCursor };
		},
	};
}

const view = (row: Row): AuditEntry => ({
	id: row.id,
	at: row.created_at.toISOString(),
	actor: { kind: row.actor_kind, id: row.actor_id, label: row.actor_label },
	action: row.action,
	resource: { kind: row.resource_kind, id: row.resource_id, label: row.resource_label },
	changed: row.changed,
	domain_id: row.domain_id,
	address: row.address,
	request_id: row.request_id,
});

const viewForTenant = (row: Row): AuditEntry =>
	row.by_operator
		? { ...view(row), actor: { kind: row.actor_kind, id: null, label: operator }, address: null, request_id: null }
		: view(row);
