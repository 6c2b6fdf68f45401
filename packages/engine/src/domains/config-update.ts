import { type DomainConfigPatch, domainConfigDefaults, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart } from "../audit/index.ts";
import type { Statement } from "../ports/index.ts";
import type { Sealer } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";

/**
 * Returns the statement that merges a patch into a domain's configuration (RFC 7396). It locks the domain's row before
 * it compares, so that the audit log names exactly the fields that this patch changed. The row that it answers says
 * whether the domain is there, and whether it was changed: a patch that leaves no output on changes nothing.
 */
export function configUpdate(
	parts: Pick<Parts, "clock" | "random">,
	id: string,
	{ webhook_secret, outputs, ...config }: DomainConfigPatch,
	{ sealer, by }: { readonly sealer: Sealer; readonly by: Actor },
): Statement {
	const secret =
		webhook_secret === undefined
			? sql`d.webhook_secret`
			: sql`${webhook_secret === null ? null : sealer.seal(webhook_secret)}::text`;
	const merged =
		outputs === undefined
			? sql`d.config || ${config}::jsonb`
			: sql`d.config || ${config}::jsonb || jsonb_build_object('outputs', coalesce(d.config -> 'outputs', '{}') || ${outputs}::jsonb)`;
	const makesSomething =
		outputs === undefined
			? sql`true`
			: sql`exists (select from jsonb_each(${domainConfigDefaults.outputs}::jsonb || coalesce(d.config -> 'outputs', '{}') || ${outputs}::jsonb) o where o.value = 'true')`;
	const entry = {
		action: "domain.config_updated",
		resource: { kind: "domain", id, label: sql`(select slug from before)` },
		domainId: id,
		changed: sql`(select array_agg(name order by name) from changed)`,
	} as const;
	return sql`
		with before as (
			select d.id, d.slug, d.config, d.webhook_secret from reelmill.domains d where d.id = ${id} and d.deleted_at is null for no key update),
		updated as (
			update reelmill.domains d set config = ${merged}, webhook_secret = ${secret} where d.id in (select id from before) and ${makesSomething} returning d.id, d.config),
		changed as (
			select name from before, updated, jsonb_object_keys(${config}::jsonb) as name where before.config -> name is distinct from updated.config -> name
			union all select 'outputs.' || name from before, updated, jsonb_object_keys(${outputs ?? {}}::jsonb) as name
				where before.config -> 'outputs' -> name is distinct from updated.config -> 'outputs' -> name
			union all select 'webhook_secret' from before, updated
				where ${webhook_secret !== undefined}::boolean and not (before.webhook_secret is null and ${webhook_secret === null}::boolean)),
		${auditPart(parts, by, entry, sql`changed`)}
		select exists (select from before) as found, exists (select from updated) as updated`;
}

/** Makes the error for a domain of whose videos nothing would be made. */
export const noOutput = (): ReelmillError =>
	new ReelmillError("validation_error", {
		message: `outputs: at least one of ${Object.keys(domainConfigDefaults.outputs).join(", ")} must be on`,
	});
