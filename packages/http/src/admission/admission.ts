import {
	api,
	type Input,
	isReelmillError,
	type Operation,
	type OperationName,
	type ReelmillError,
} from "@reelmill/contracts";
import type { RateLimitName, RateLimits } from "@reelmill/engine";
import type { Authenticate, Principals } from "./authenticate.ts";
import { createGuess, refuseGuess } from "./guess.ts";

/** Limits that single operations have by the client's address, beside that of all calls under /v1. */
const ownLimits: { readonly [K in OperationName]?: RateLimitName } = {
	issueServiceToken: "serviceToken",
	createSandboxSession: "sandboxSession",
};
/**
 * Operations that a quota may refuse. The specification has its code win over `rate_limited`, and it depends on the
 * body.
 */
const underQuota: readonly OperationName[] = ["createVideo", "createOutro"];

const isApiCall = ({ path, plane }: Operation): boolean => path.startsWith("/v1/") && plane !== "operations";
type Principal = Principals[Operation["auth"]];

/**
 * `limited` is what the request is to be refused with, unless a quota refuses it. `countInput` counts what can't be
 * counted before it is read; null where all was.
 */
export type Admitted = {
	readonly principal: Principal;
	readonly limited: ReelmillError | null;
	readonly countInput: ((input: object) => Promise<void>) | null;
};

export type Admission = {
	/** Answers the principal of a request that may go on. Throws what authentication throws, and `rate_limited`. */
	admit(name: OperationName, authorization: string | null, clientKey: string): Promise<Admitted>;
	/** Counts a request under /v1 that no operation answers. Throws `rate_limited`. */
	countUnknown(authorization: string | null, clientKey: string): Promise<void>;
};

/**
 * Authenticates, then counts the request towards its rate limits, before anything else of it is looked at. Calls under
 * /v1 are counted by their key, also where they need none or lead nowhere, and by the client's address where there is
 * no key or it is refused; /v1/health and the API's documents aren't counted. Requests for a service token from
 * `isWorker`'s networks are counted by the account that they name. A sandbox session is refused while requests can't be
 * counted; others pass.
 */
export function createAdmission(
	authenticate: Authenticate,
	rateLimits: RateLimits,
	isWorker: (clientKey: string) => boolean,
): Admission {
	const count = async (principal: Principal, clientKey: string): Promise<void> => {
		if (principal === null || !("keyId" in principal)) return rateLimits.take("api", clientKey);
		await rateLimits.take("api", principal.keyId, { whenLost: principal.kind === "sandbox" ? "refuse" : "allow" });
	};
	const tenantOf = (authorization: string | null, clientKey: string): Promise<Principal> =>
		authorization === null
			? Promise.resolve(null)
			: authenticate.tenant(authorization, createGuess(rateLimits, api.getDomain, clientKey)).catch(nobody);

	const countAccount = (input: object) =>
		rateLimits.take("serviceToken", `account ${(input as Input<typeof api.issueServiceToken>).body.name}`);
	/**
	 * A worker that shows a valid token renews it, whatever others at its address did. Only whether the token's account
	 * lives is looked up.
	 */
	const renews = async (name: OperationName, authorization: string | null): Promise<boolean> =>
		name === "issueServiceToken" &&
		authorization !== null &&
		(await authenticate.service(authorization, refuseGuess).catch(nobody)) !== null;

	return {
		async admit(name, authorization, clientKey) {
			const operation: Operation = api[name];
			let principal: Principal;
			try {
				principal = await authenticate[operation.auth](authorization, createGuess(rateLimits, operation, clientKey));
			} catch (error) {
				if (isApiCall(operation) && isReelmillError(error)) await rateLimits.take("api", clientKey);
				throw error;
			}
			let limited: ReelmillError | null = null;
			try {
				if (isApiCall(operation)) await count(principal ?? (await tenantOf(authorization, clientKey)), clientKey);
			} catch (error) {
				if (!underQuota.includes(name) || !isReelmillError(error, "rate_limited")) throw error;
				limited = error;
			}
			const own = ownLimits[name];
			if (own === undefined || (await renews(name, authorization))) return { principal, limited, countInput: null };
			if (own === "serviceToken" && isWorker(clientKey)) return { principal, limited, countInput: countAccount };
			await rateLimits.take(own, clientKey);
			return { principal, limited, countInput: null };
		},
		async countUnknown(authorization, clientKey) {
			await count(await tenantOf(authorization, clientKey), clientKey);
		},
	};
}

function nobody(error: unknown): null {
	if (!isReelmillError(error)) throw error;
	return null;
}
