import { isReelmillError, isUuidV4, ReelmillError } from "@reelmill/contracts";
import type { Engine, TenantPrincipal } from "@reelmill/engine";
import type { Guess } from "./guess.ts";

/** Whom a console session speaks for. */
export type ConsolePrincipal = {
	readonly kind: "console";
	readonly sessionId: string;
	readonly accountId: string;
	readonly label: string;
	readonly role: "admin" | "member";
	readonly domainIds: readonly string[];
};
type ConsoleEngine = Engine & {
	readonly console: { authenticate(token: string): Promise<ConsolePrincipal> };
};

/** How many tokens are remembered as genuine. */
const keptTokens = 10_000;

export type Sessions = {
	/**
	 * Returns whom the session with this token speaks for. A token that this server doesn't know as genuine is a guess,
	 * and counts as one before it is looked up.
	 *
	 * @throws {ReelmillError} `unauthorized`; `account_disabled`; what `guess` throws.
	 */
	authenticate(token: string, guess: Guess): Promise<ConsolePrincipal>;
	/**
	 * Returns the principal of a session in the domain that it selects. It can do what the domain's key can.
	 *
	 * @throws {ReelmillError} `domain_not_selected` for `null`; `domain_not_found` for a domain that does not exist, or
	 * that the account may not see.
	 */
	tenantOf(session: ConsolePrincipal, domainId: string | null): Promise<TenantPrincipal>;
};

export function createSessions(engine: Engine): Sessions {
	const genuine = new Set<string>();
	return {
		async authenticate(token, guess) {
			if (!genuine.has(token)) await guess();
			try {
				const session = await (engine as ConsoleEngine).console.authenticate(token);
				if (genuine.size >= keptTokens) genuine.clear();
				genuine.add(token);
				return session;
			} catch (error) {
				if (isReelmillError(error, "unauthorized")) genuine.delete(token);
				throw error;
			}
		},
		async tenantOf({ role, domainIds }, domainId) {
			if (domainId === null) throw new ReelmillError("domain_not_selected");
			if (!isUuidV4(domainId) || (role !== "admin" && !domainIds.includes(domainId)))
				throw new ReelmillError("domain_not_found");
			const { id } = await engine.domains.get(domainId);
			return { kind: "domain", domainId: id, keyId: null, sessionId: null };
		},
	};
}
