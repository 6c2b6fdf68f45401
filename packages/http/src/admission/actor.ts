import type { Operation } from "@reelmill/contracts";
import { type Actor, engineActor } from "@reelmill/engine";
import type { Authenticated, Principals } from "./authenticate.ts";
import type { Credentials } from "./credentials.ts";

/** Where a request comes from. */
export type Origin = {
	readonly clientKey: string;
	readonly clientAddress: string | null;
	readonly requestId: string;
};

/**
 * Returns who asks, for the audit log: a console account, or a key by its last four characters. The `engine` stands for
 * a request that needs no credential, or that comes from a worker.
 */
export function actorOf(
	{ principal, session }: Authenticated<Operation["auth"]>,
	{ authorization }: Credentials,
	{ clientAddress, requestId }: Origin,
): Actor {
	const from = { address: clientAddress, requestId };
	if (session !== null) {
		const { accountId, label, role } = session;
		return { kind: "account", id: accountId, label, isOperator: role === "admin", ...from };
	}
	const label = `...${authorization?.trimEnd().slice(-4) ?? ""}`;
	if (isTenant(principal)) return { kind: "domain_key", id: principal.keyId, label, ...from };
	if (principal !== null && "kind" in principal && principal.kind === "admin")
		return { kind: "admin_key", id: null, label, ...from };
	return { ...engineActor, ...from };
}

/** Tells whether a principal is one of the tenant plane. */
export const isTenant = (principal: Principals[Operation["auth"]]): principal is Principals["tenant"] =>
	principal !== null && "keyId" in principal;
