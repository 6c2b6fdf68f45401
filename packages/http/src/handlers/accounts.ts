import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names =
	| "issueServiceToken"
	| "createServiceAccount"
	| "listServiceAccounts"
	| "rotateServiceAccount"
	| "revokeServiceAccount";

export const accountHandlers = ({ accounts }: Engine): Pick<Handlers, Names> => ({
	issueServiceToken: ({ input }) => accounts.issueToken(input.body),
	createServiceAccount: ({ input, by }) => accounts.create(input.body, by),
	listServiceAccounts: ({ input }) => accounts.list(input.query),
	rotateServiceAccount: async ({ input, by }) => accounts.rotate(accountId(input.params.id), by),
	revokeServiceAccount: async ({ input, by }) => {
		await accounts.revoke(accountId(input.params.id), by);
		return undefined;
	},
});

function accountId(id: string): string {
	if (!isUuidV4(id)) throw new ReelmillError("service_account_not_found");
	return id;
}
