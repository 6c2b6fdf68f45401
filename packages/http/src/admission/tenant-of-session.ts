import { isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { ConsolePrincipal, Engine, TenantPrincipal } from "@reelmill/engine";

/**
 * Returns the principal of a console session in the domain that it selects. It can do what the domain's key can.
 *
 * @throws {ReelmillError} `domain_not_selected` for `null`; `domain_not_found` for a domain that does not exist, or
 * that the account may not see.
 */
export async function tenantOfSession(
	{ domains }: Engine,
	{ role, domainIds }: ConsolePrincipal,
	domainId: string | null,
): Promise<TenantPrincipal> {
	if (domainId === null) throw new ReelmillError("domain_not_selected");
	if (!isUuidV4(domainId) || (role !== "admin" && !domainIds.includes(domainId)))
		throw new ReelmillError("domain_not_found");
	const { id } = await domains.get(domainId);
	return { kind: "domain", domainId: id, keyId: null, sessionId: null };
}
