import type { AuditAction, AuditEntry } from "@reelmill/node";
import { type Command, Option } from "commander";
import { time } from "../cells.ts";
import type { Io } from "../printing.ts";
import type { Columns } from "../table.ts";
import { showsList } from "./shows-list.ts";

const columns: Columns<AuditEntry> = [
	["WHEN", ({ at }) => time(at)],
	["BY", ({ actor }) => actor.label],
	["FROM", ({ address }) => address, "if there is room"],
	["ACTION", ({ action }) => action],
	["OF", ({ resource }) => resource.label ?? resource.id],
	["CHANGED", ({ changed }) => changed],
	["REQUEST", ({ request_id }) => request_id, "if there is room"],
];

type Options = {
	domain?: string;
	actor?: string;
	action?: AuditAction;
	resource?: string;
	own?: boolean;
};

export function addAudit(parent: Command, io: Io): void {
	const audit = parent
		.command("audit")
		.description("show who changed what, newest first: over all domains, or with --own of the key's domain")
		.option("--domain <id>", "only changes that concern this domain")
		.option("--actor <actor>", "only changes by this actor: an account's address, ...last4 of a key, or an id")
		.option("--action <action>", "only changes of this kind, such as domain.key_rotated")
		.option("--resource <id>", "only changes of the resource with this id")
		.addOption(new Option("--own", "as a tenant: the changes of the domain whose key is given").conflicts("domain"));
	showsList(
		audit,
		io,
		(session, paging, { domain, actor, action, resource, own }: Options) => {
			const asked = {
				...paging,
				...(actor && { actor }),
				...(action && { action }),
				...(resource && { resourceId: resource }),
			};
			return own
				? session.reelmill().audit.list(asked)
				: session.admin().audit.list({ ...asked, ...(domain && { domainId: domain }) });
		},
		columns,
	);
}
