import type { ServiceAccount } from "@reelmill/node";
import type { Command } from "commander";
import type { CliIo } from "../io.ts";
import { allOption, limitOption, pageSizeFor, shownAtMost } from "../options.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../text.ts";

const columns: Columns<ServiceAccount> = [
	["ID", ({ id }) => id],
	["NAME", ({ name }) => name],
	["CREATED", ({ created_at }) => created_at],
	["REVOKED", ({ revoked_at }) => revoked_at],
];

export function addServiceAccounts(parent: Command, io: CliIo): void {
	const accounts = parent.command("service-accounts").description("the transcoders' accounts");
	accounts
		.command("list")
		.description("list the accounts, newest first")
		.addOption(limitOption())
		.addOption(allOption())
		.action(async (options: { limit: number; all?: boolean }, command: Command) => {
			const session = sessionOf(io, command);
			const shown = shownAtMost(options);
			await session.table(
				session.admin().serviceAccounts.list({ pageSize: pageSizeFor(shown), signal: io.signal }),
				columns,
				shown,
			);
		});
	accounts
		.command("create")
		.description("create an account; its secret is shown this once")
		.argument("<name>")
		.action(async (name: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().serviceAccounts.create({ name }, { signal: io.signal }));
		});
	accounts
		.command("rotate")
		.description("mint a new secret, shown this once; the one before works for an hour more")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().serviceAccounts.rotate(id, { signal: io.signal }));
		});
	accounts
		.command("revoke")
		.description("end an account for good")
		.argument("<id>")
		.action(async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			await session.admin().serviceAccounts.revoke(id, { signal: io.signal });
			session.print({ id, revoked: true }, () => `Service account ${id} is revoked.`);
		});
}
