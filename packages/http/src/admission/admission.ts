import {
	api,
	type Input,
	isReelmillError,
	type Operation,
	type OperationName,
	type ReelmillError,
} from "@reelmill/contracts";
import type { Actor, Engine, RateLimitName, RateLimits } from "@reelmill/engine";
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
	 * Authenticates and counts a request; at once if its key is known and needs no statement to be counted.
	 *
	 * @throws {ReelmillError} (by the promise) `csrf_check_failed`, what authentication throws, or `rate_limited`.
	 */
	admit(name: OperationName, credentials: Credentials, origin: Origin): Admitted | Promise<Admitted>;
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
	knownKey: Engine["keys"]["peek"],
	rateLimits: RateLimits,
	isWorker: (clientKey: string) => boolean,
	isRenewable: Engine["accounts"]["isRenewable"],
): Admission {
	const count = (
		{ principal, session }: Authenticated<Operation["auth"]>,
		clientKey: string,
	): Promise<void> | undefined => {
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

	const isOfWorker = async (credentials: Credentials): Promise<boolean> =>
		credentials.authorization !== null && (await authenticate.service(credentials, refuseGuess).catch(nobody)) !== null;
	/**
	 * Counts a request for a service token. A worker that renews its token by a valid one counts towards nothing: other
	 * clients may have used up the address. Only the body names the account, so the request is read before it is counted
	 * if it has a valid token, or if it is counted by the account.
	 */
	const countToken = async (credentials: Credentials, clientKey: string): Promise<Admitted["countInput"]> => {
		const countAddress = () => rateLimits.take("serviceToken", clientKey);
		const mayRenew = await isOfWorker(credentials);
		if (!mayRenew && !isWorker(clientKey)) {
			await countAddress();
			return null;
		}
		return async (input) => {
			const { name } = (input as Input<typeof api.issueServiceToken>).body;
			if (mayRenew && (await isRenewable(credentials.authorization, name))) return;
			await (isWorker(clientKey) ? rateLimits.take("workerToken", name) : countAddress());
		};
	};

	/** Returns the error if a quota is asked before it counts, and throws it otherwise. */
	const unlessUnderQuota = (name: OperationName, error: unknown): ReelmillError => {
		if (!underQuota.includes(name) || !isReelmillError(error, "rate_limited")) throw error;
		return error;
	};
	const admitAnyone = async (name: OperationName, credentials: Credentials, origin: Origin): Promise<Admitted> => {
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
			limited = unlessUnderQuota(name, error);
		}
		const admitted = admittedBy(authenticated, credentials, origin, limited);
		const own = ownLimits[name];
		if (own === "serviceToken") return { ...admitted, countInput: await countToken(credentials, clientKey) };
		if (own !== undefined) await rateLimits.take(own, clientKey);
		return admitted;
	};

	return {
		admit(name, credentials, origin) {
			const operation: Operation = api[name];
			const isUsual = operation.auth === "tenant" && isApiCall(operation) && ownLimits[name] === undefined;
			const principal = isUsual && credentials.session === null ? knownKey(credentials.authorization) : undefined;
			if (principal === undefined) return admitAnyone(name, credentials, origin);
			const authenticated = { principal, session: null };
			const admit = (limited: ReelmillError | null) => admittedBy(authenticated, credentials, origin, limited);
			return (
				count(authenticated, origin.clientKey)?.then(
					() => admit(null),
					(error: unknown) => admit(unlessUnderQuota(name, error)),
				) ?? admit(null)
			);
		},
		async countUnknown(credentials, clientKey) {
			await count(await tenantOf(credentials, clientKey), clientKey);
		},
	};
}

const admittedBy = (
	authenticated: Authenticated<Operation["auth"]>,
	credentials: Credentials,
	origin: Origin,
	limited: ReelmillError | null,
): Admitted => ({
	principal: authenticated.principal,
	by: () => actorOf(authenticated, credentials, origin),
	limited,
	countInput: null,
});

const refuseWhenLost = { whenLost: "refuse" } as const;
const unknownClient: Authenticated<"none"> = { principal: null, session: null };

function nobody(error: unknown): null {
	if (!isReelmillError(error)) throw error;
	return null;
}
