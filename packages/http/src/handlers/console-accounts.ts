import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "listConsoleAccounts" | "disableConsoleAccount" | "enableConsoleAccount" | "updateConsoleAccount";

export const consoleAccountHandlers = ({ console: { accounts } }: Engine): Pick<Handlers, Names> => ({
	listConsoleAccounts: ({ input }) => accounts.list(input.query),
	disableConsoleAccount: async ({ input, by }) => accounts.disable(accountId(input.params.id), by),
	enableConsoleAccount: async ({ input, by }) => accounts.enable(accountId(input.params.id), by),
	updateConsoleAccount: async ({ input, by }) => accounts.update(accountId(input.params.id), input.body, by),
});

function accountId(id: string): string {
	if (!isUuidV4(id)) throw new ReelmillError("not_found");
	return id;
}
