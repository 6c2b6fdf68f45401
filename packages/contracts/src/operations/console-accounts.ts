import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { pageQuery } from "../resources/common.ts";
import { ConsoleAccount, ConsoleAccountPage, UpdateConsoleAccount } from "../resources/console.ts";

const params = z.strictObject({ id: z.string().meta({ description: "The console account's id." }) });

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
	description: "Its sessions answer `account_disabled` from then on.",
	auth: "admin",
	params,
	success: { status: 200, body: ConsoleAccount },
	errors: [],
});

export const enableConsoleAccount = defineOperation({
	method: "POST",
	path: "/admin/v1/console-accounts/{id}/enable",
	plane: "admin",
	tag: "Admin",
	summary: "Enable a console account again",
	auth: "admin",
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
	auth: "admin",
	params,
	body: UpdateConsoleAccount,
	success: { status: 200, body: ConsoleAccount },
	errors: [],
});
