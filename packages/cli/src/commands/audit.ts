import type { AuditAction, AuditEntry } from "@reelmill/node";
import { type Command, Option } from "commander";
import type { CliIo } from "../io.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../text.ts";

const columns: Columns<AuditEntry> = [
	["WHEN", ({ at }) => at],
	["BY", ({ actor }) => actor.label],
	["FROM", ({ address }) => address],
	["ACTION", ({ action }) => action],
	["OF", ({ resource }) => resource.label ?? resource.id],
	["CHANGED", ({ changed }) => changed],
	["REQUEST", ({ request_id }) => request_id],
];

type Options = {
	domain?: string;
	actor?: string;
	action?: AuditAction;
	resource?: string;
	own?: boolean;
	limit: number;
	all?: boolean;
};

export function addAudit(parent: Command, io: CliIo): void {
	parent
		.command("audit")
		.description("show who changed what, newest first: over all domains, or with --own of the key's domain")
		.option("--domain <id>", "only changes that concern this domain")
		.option("--actor <actor>", "only changes by this actor: an account's address, ...last4 of a key, or an id")
		.option("--action <action>", "only changes of this kind, such as domain.key_rotated")
		.option("--resource <id>", "only changes of the resource with this id")
		.addOption(new Option("--own", "as a tenant: the changes of the domain whose key is given").conflicts("domain"))
		.addOption(limitOption())
		.addOption(allOption())
		.action(async ({ domain, actor, action, resource, own, ...options }: Options, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			const asked = {
				...(actor && { actor }),
				...(action && { action }),
				...(resource && { resourceId: resource }),
				pageSize: pageSizeFor(shown),
				signal: io.signal,
			};
			const entries = own
				? session.reelmill().audit.list(asked)
				: session.admin().audit.list({ ...asked, ...(domain && { domainId: domain }) });
			await session.table(entries, columns, shown);
		});
}
