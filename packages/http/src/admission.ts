import { api, isReelmillError, type Operation, type OperationName } from "@reelmill/contracts";
import type { RateLimitName, RateLimits } from "@reelmill/engine";
import type { Authenticate, Principals } from "./principals.ts";

/** Limits that single operations have by the client's address, beside that of all calls under /v1. */
const ownLimits: { readonly [K in OperationName]?: RateLimitName } = { issueServiceToken: "serviceToken", createSandboxSession: "sandboxSession" };

const isApiCall = ({ path, plane }: Operation): boolean => path.startsWith("/v1/") && plane !== "operations";
type Principal = Principals[Operation["auth"]];

/** Answers the principal of a request that may go on. Throws what authentication throws, and `rate_limited`. */
export type Admit = (name: OperationName, authorization: string | null, clientKey: string) => Promise<Principal>;

/**
 * Authenticates, then counts the request towards its rate limits, before anything else of it is looked at. Calls under /v1 are counted by their key,
 * and by the client's address where there is none or it is refused; /v1/health and the API's documents aren't counted.
 * A sandbox session is refused while requests can't be counted; others pass.
 */
export function createAdmit(authenticate: Authenticate, rateLimits: RateLimits): Admit {
	return async (name, authorization, clientKey) => {
		const operation: Operation = api[name];
		let principal: Principal;
		try {
			principal = await authenticate[operation.auth](authorization);
		} catch (error) {
			if (isApiCall(operation) && isReelmillError(error)) await rateLimits.take("api", clientKey);
			throw error;
		}
		if (isApiCall(operation)) {
			if (principal !== null && "keyId" in principal)
				await rateLimits.take("api", principal.keyId, { whenLost: principal.kind === "sandbox" ? "refuse" : "allow" });
			else await rateLimits.take("api", clientKey);
		}
		const own = ownLimits[name];
		if (own !== undefined) await rateLimits.take(own, clientKey);
		return principal;
	};
}
