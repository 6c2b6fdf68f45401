import {
	api,
	type Input,
	isReelmillError,
	type Operation,
	type OperationName,
	type ReelmillError,
} from "@reelmill/contracts";
import type { Actor, RateLimitName, RateLimits } from "@reelmill/engine";
import { actorOf, isTenant, type Origin } from "./actor.ts";
import type { Authenticate, Authenticated, Principals } from "./authenticate.ts";
import type { Credentials } from "./credentials.ts";
import { refuseForgery } from "./forgery.ts";
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
	/** Returns who asks, for the audit log. */
	readonly by: () => Actor;
	/** What the request is refused with unless a quota refuses it; `null` if the request is within its limits. */
	readonly limited: ReelmillError | null;
	/** Counts what only the request's input tells; `null` if everything is counted already. */
	readonly countInput: ((input: object) => Promise<void>) | null;
};

export type Admission = {
	/**
	 * Authenticates and counts a request.
	 *
	 * @throws {ReelmillError} `csrf_check_failed`, what authentication throws, or `rate_limited`.
	 */
	admit(name: OperationName, credentials: Credentials, origin: Origin): Promise<Admitted>;
	/**
	 * Counts a request under /v1 that no operation answers.
	 *
	 * @throws {ReelmillError} `rate_limited` when the client is over its limit.
	 */
	countUnknown(credentials: Credentials, clientKey: string): Promise<void>;
};

/**
 * Creates the admission of requests: it authenticates a request, then counts it towards its rate limits, before
 * anything else of the request is read.
 *
 * - A call under /v1 counts towards its key, even if the operation needs no key or does not exist.
 * - With a console session it counts towards the account and the domain that it selects, apart from the domain's keys.
 * - Without a credential, or with one that is refused, it counts towards the client's address.
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
	const count = ({ principal, session }: Authenticated<Operation["auth"]>, clientKey: string): Promise<void> => {
		if (!isTenant(principal)) return rateLimits.take("api", clientKey);
		const subject = principal.keyId ?? `console ${session?.accountId} ${principal.domainId}`;
		return rateLimits.take("api", subject, principal.kind === "sandbox" ? refuseWhenLost : undefined);
	};
	const tenantOf = async (
		credentials: Credentials,
		clientKey: string,
	): Promise<Authenticated<"tenant"> | Authenticated<"none">> =>
		credentials.authorization === null && credentials.session === null
			? unknownClient
			: ((await authenticate.tenant(credentials, createGuess(rateLimits, api.getDomain, clientKey)).catch(nobody)) ??
				unknownClient);

	const countAccount = (input: object) =>
		rateLimits.take("serviceToken", `account ${(input as Input<typeof api.issueServiceToken>).body.name}`);
	/**
	 * Returns whether a worker renews its token by a valid one. Such a request counts towards no limit of the address,
	 * which other clients may have used up. The only look-up is whether the token's account still exists.
	 */
	const renews = async (name: OperationName, credentials: Credentials): Promise<boolean> =>
		name === "issueServiceToken" &&
		credentials.authorization !== null &&
		(await authenticate.service(credentials, refuseGuess).catch(nobody)) !== null;

	return {
		async admit(name, credentials, origin) {
			const operation: Operation = api[name];
			const { clientKey } = origin;
			let authenticated: Authenticated<Operation["auth"]>;
			try {
				refuseForgery(operation, credentials);
				authenticated = await authenticate[operation.auth](credentials, createGuess(rateLimits, operation, clientKey));
			} catch (error) {
				if (isApiCall(operation) && isReelmillError(error)) await rateLimits.take("api", clientKey);
				throw error;
			}
			const { principal } = authenticated;
			let limited: ReelmillError | null = null;
			try {
				if (isApiCall(operation))
					await count(principal === null ? await tenantOf(credentials, clientKey) : authenticated, clientKey);
			} catch (error) {
				if (!underQuota.includes(name) || !isReelmillError(error, "rate_limited")) throw error;
				limited = error;
			}
			const admitted = { principal, by: () => actorOf(authenticated, credentials, origin), limited, countInput: null };
			const own = ownLimits[name];
			if (own === undefined || (await renews(name, credentials))) return admitted;
			if (own === "serviceToken" && isWorker(clientKey)) return { ...admitted, countInput: countAccount };
			await rateLimits.take(own, clientKey);
			return admitted;
		},
		async countUnknown(credentials, clientKey) {
			await count(await tenantOf(credentials, clientKey), clientKey);
		},
	};
}

const refuseWhenLost = { whenLost: "refuse" } as const;
const unknownClient: Authenticated<"none"> = { principal: null, session: null };

function nobody(error: unknown): null {
	if (!isReelmillError(error)) throw error;
	return null;
}
