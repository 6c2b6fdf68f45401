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

/** Operations with a limit of their own per client address, besides the limit of all calls under /v1. */
const ownLimits: { readonly [K in OperationName]?: RateLimitName } = {
	issueServiceToken: "serviceToken",
	createSandboxSession: "sandboxSession",
};
/**
 * Operations that a quota may refuse. The quota's code wins over `rate_limited`, and only the body tells whether the
 * quota refuses.
 */
const underQuota: readonly OperationName[] = ["createVideo", "createOutro"];

const isApiCall = ({ path, plane }: Operation): boolean => path.startsWith("/v1/") && plane !== "operations";
type Principal = Principals[Operation["auth"]];

export type Admitted = {
	readonly principal: Principal;
	/** What the request is refused with unless a quota refuses it; `null` if the request is within its limits. */
	readonly limited: ReelmillError | null;
	/** Counts what only the request's input tells; `null` if everything is counted already. */
	readonly countInput: ((input: object) => Promise<void>) | null;
};

export type Admission = {
	/**
	 * Authenticates and counts a request.
	 *
	 * @throws {ReelmillError} what authentication throws, or `rate_limited`.
	 */
	admit(name: OperationName, authorization: string | null, clientKey: string): Promise<Admitted>;
	/**
	 * Counts a request under /v1 that no operation answers.
	 *
	 * @throws {ReelmillError} `rate_limited` when the client is over its limit.
	 */
	countUnknown(authorization: string | null, clientKey: string): Promise<void>;
};

/**
 * Creates the admission of requests: it authenticates a request, then counts it towards its rate limits, before
 * anything else of the request is read.
 *
 * - A call under /v1 counts towards its key, even if the operation needs no key or does not exist.
 * - Without a key, or with a key that is refused, it counts towards the client's address.
 * - /v1/health and the API's documents count towards nothing.
 * - A request for a service token from the networks of `isWorker` counts towards the account that it names.
 *
 * While the counter is out of reach, sandbox sessions are refused and all other requests pass.
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
	 * Returns whether a worker renews its token by a valid one. Such a request counts towards no limit of the address,
	 * which other clients may have used up. The only look-up is whether the token's account still exists.
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
