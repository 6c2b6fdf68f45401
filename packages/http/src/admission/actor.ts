import type { Operation } from "@reelmill/contracts";
import type { Authenticated, Principals } from "./authenticate.ts";
import type { Credentials } from "./credentials.ts";

export type Actor = {
	readonly kind: "account" | "domain_key" | "admin_key" | "engine";
	readonly id: string | null;
	readonly label: string;
	readonly address: string | null;
	readonly requestId: string | null;
};
/** Where a request comes from. */
export type Origin = { readonly clientKey: string; readonly requestId: string };

/**
 * Returns who asks, for the audit log: a console account, or a key by its last four characters. The `engine` stands for
 * a request that needs no credential, or that comes from a worker.
 */
export function actorOf(
	{ principal, session }: Authenticated<Operation["auth"]>,
	{ authorization }: Credentials,
	{ clientKey, requestId }: Origin,
): Actor {
	const from = { address: clientKey === "unknown" ? null : clientKey, requestId };
	if (session !== null) return { kind: "account", id: session.accountId, label: session.label, ...from };
	const label = `...${authorization?.trimEnd().slice(-4) ?? ""}`;
	if (isTenant(principal)) return { kind: "domain_key", id: principal.keyId, label, ...from };
	if (principal !== null && "kind" in principal && principal.kind === "admin")
		return { kind: "admin_key", id: null, label, ...from };
	return { kind: "engine", id: null, label: "engine", ...from };
}

/** Tells whether a principal is one of the tenant plane. */
export const isTenant = (principal: Principals[Operation["auth"]]): principal is Principals["tenant"] =>
	principal !== null && "keyId" in principal;
