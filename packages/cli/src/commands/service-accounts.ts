import type { ServiceAccount } from "@reelmill/node";
import type { Command } from "commander";
import { time } from "../cells.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { showsList } from "./shows-list.ts";

const columns: Columns<ServiceAccount> = [
	["ID", ({ id }) => id],
	["NAME", ({ name }) => name],
	["CREATED", ({ created_at }) => time(created_at)],
	["REVOKED", ({ revoked_at }) => time(revoked_at)],
];

export function addServiceAccounts(parent: Command, io: Io): void {
	const accounts = parent.command("service-accounts").description("the transcoders' accounts");
	showsList(
		accounts.command("list").description("list the accounts, newest first"),
		io,
		(session, asked) => session.admin().serviceAccounts.list(asked),
		columns,
	);
	accounts
		.command("create")
		.description("create an account and show its secret, only here")
		.argument("<name>")
		.action(async (name: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().serviceAccounts.create({ name }, { signal: io.signal }));
		});
	accounts
		.command("rotate")
		.description("create a new secret and show it, only here; the one before works for another hour")
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
