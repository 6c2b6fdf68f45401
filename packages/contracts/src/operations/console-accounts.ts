import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import { ConsoleAccount, ConsoleAccountPage, UpdateConsoleAccount } from "../resources/console.ts";
import { idParams } from "./id-params.ts";

const params = idParams("console account");

export const listConsoleAccounts = defineOperation({
	method: "GET",
	path: "/admin/v1/console-accounts",
	plane: "admin",
	tag: "Admin",
	summary: "List console accounts, newest first",
	auth: "admin",
	query: z.strictObject(pageQuery),
	success: { status: 200, body: ConsoleAccountPage },
	errors: ["invalid_cursor"],
});

export const disableConsoleAccount = defineOperation({
	method: "POST",
	path: "/admin/v1/console-accounts/{id}/disable",
	plane: "admin",
	tag: "Admin",
	summary: "Disable a console account",
	description:
		"Its sessions end, on every server within 2 s, and answer `account_disabled`, as signing in does. `invalid_state` for the last admin. Done twice, it keeps the time of the first.",
	auth: "admin",
	audit: "console_account.disabled",
	params,
	success: { status: 200, body: ConsoleAccount },
	errors: ["invalid_state"],
});

export const enableConsoleAccount = defineOperation({
	method: "POST",
	path: "/admin/v1/console-accounts/{id}/enable",
	plane: "admin",
	tag: "Admin",
	summary: "Enable a console account again",
	description: "It can sign in again. Its earlier sessions stay ended.",
	auth: "admin",
	audit: "console_account.enabled",
	params,
	success: { status: 200, body: ConsoleAccount },
	errors: [],
});

export const updateConsoleAccount = defineOperation({
	method: "PATCH",
	path: "/admin/v1/console-accounts/{id}",
	plane: "admin",
	tag: "Admin",
	summary: "Change a console account's role or domains",
	description:
		"What is left out keeps its value; a change ends the account's sessions. `invalid_state` for the last admin, for the role of the self-host secret's account, and for making an admin of an account whose verified address is not among the console's admins.",
	auth: "admin",
	audit: "console_account.updated",
	params,
	body: UpdateConsoleAccount,
	success: { status: 200, body: ConsoleAccount },
	errors: ["invalid_state", "domain_not_found"],
});
