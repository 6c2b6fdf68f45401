import type { AuditAction, AuditResourceKind } from "@reelmill/contracts";
import sql, { type Sql } from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import type { Actor } from "./actor.ts";

/** What was done to what. SQL stands for what only the statement knows, as a scalar. */
export type AuditedChange = {
	readonly action: AuditAction;
	readonly resource: {
		readonly kind: AuditResourceKind;
		readonly id: string | Sql;
		/** What the resource is called now: it may be gone when the entry is read (default: no name). */
		readonly label?: string | Sql;
	};
	/** The domain that the change concerns; `null` for the whole installation. */
	readonly domainId: string | null;
	/** The names of the fields that changed, never their values (default: none). */
	readonly changed?: readonly string[] | Sql;
};

/** Longer texts are cut: an entry must never be what a change fails by. */
const longest = 320;

/**
 * Returns the part of a statement, `audited as (...)`, that notes a change in the audit log. It writes one entry if
 * `took` has a row, else none. `took` is the name of the part that made the change, with a condition if need be. The
 * statement is one transaction: there is no change without its entry, and no entry without its change.
 */
export function auditPart(
	{ clock, random }: Pick<Parts, "clock" | "random">,
	by: Actor,
	{ action, resource, domainId, changed = [] }: AuditedChange,
	took: Sql,
): Sql {
	const isOperator = by.kind === "admin_key" || by.isOperator === true;
	return sql`audited as (
		insert into reelmill.audit (id, created_at, actor_kind, actor_id, actor_label, by_operator, action, resource_kind, resource_id, resource_label, changed, domain_id, address, request_id)
		select ${random.uuid()}::uuid, ${new Date(clock.now())}::timestamptz, ${by.kind}::text, ${text(by.id)}::text, ${text(by.label)}::text, ${isOperator}::boolean,
			${action}::text, ${resource.kind}::text, ${text(resource.id)}::text, ${text(resource.label ?? null)}::text, ${changed}::text[], ${domainId}::uuid,
			${text(by.address)}::text, ${text(by.requestId)}::text
		where exists (select from ${took}) returning id)`;
}

/** Returns what PostgreSQL can store of a text: no NUL, no half of a character, and not more than the longest. */
function text(value: string | Sql | null): string | Sql | null {
	return typeof value === "string" ? value.replaceAll("\0", "").slice(0, longest).toWellFormed() : value;
}
