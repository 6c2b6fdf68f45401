import type { ConsoleAccount } from "@reelmill/node";
import { Argument, type Command } from "commander";
import { time } from "../cells.ts";
import type { Io } from "../printing.ts";
import { sessionOf } from "../session.ts";
import type { Columns } from "../table.ts";
import { showsList } from "./shows-list.ts";

const columns: Columns<ConsoleAccount> = [
	["ID", ({ id }) => id],
	["ACCOUNT", ({ email, email_verified, subject }) => (email_verified ? email : subject) ?? "self-host secret"],
	["ROLE", ({ role }) => role],
	["DOMAINS", ({ role, domain_ids }) => (role === "admin" ? "all" : String(domain_ids.length))],
	["LAST SIGN-IN", ({ last_signed_in_at }) => time(last_signed_in_at)],
	["DISABLED", ({ disabled_at }) => time(disabled_at)],
];

export function addAccounts(parent: Command, io: Io): void {
	const accounts = parent.command("accounts").description("who may use the web console");
	const changing = (name: string, description: string): Command =>
		accounts.command(name).description(description).argument("<id>");
	const { signal } = io;

	showsList(
		accounts.command("list").description("list the accounts, newest first"),
		io,
		(session, asked) => session.admin().consoleAccounts.list(asked),
		columns,
	);
	changing("disable", "end an account's sessions, and keep it from signing in").action(
		async (id: string, _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().consoleAccounts.disable(id, { signal }));
		},
	);
	changing("enable", "let an account sign in again").action(async (id: string, _options: object, command: Command) => {
		const session = sessionOf(io, command);
		session.print(await session.admin().consoleAccounts.enable(id, { signal }));
	});
	changing("role", "make an account admin or member; its sessions end")
		.addArgument(new Argument("<role>").choices(["admin", "member"]))
		.action(async (id: string, role: "admin" | "member", _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().consoleAccounts.update(id, { role }, { signal }));
		});
	changing("domains", "choose the domains that a member sees, by their ids; without any, it sees none")
		.argument("[domains...]")
		.action(async (id: string, domainIds: string[], _options: object, command: Command) => {
			const session = sessionOf(io, command);
			session.print(await session.admin().consoleAccounts.update(id, { domain_ids: domainIds }, { signal }));
		});
}
