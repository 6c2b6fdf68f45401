import { createHash, timingSafeEqual } from "node:crypto";
import { ReelmillError } from "@reelmill/contracts";
import type { ConsolePrincipal, Engine, ServicePrincipal, TenantPrincipal } from "@reelmill/engine";
import type { Credentials } from "./credentials.ts";
import type { Guess } from "./guess.ts";
import { tenantOfSession } from "./tenant-of-session.ts";

export type AdminPrincipal = { readonly kind: "admin" };

/** Whom a handler acts for, by the `auth` of its operation. */
export type Principals = {
	none: null;
	/** Made from a domain key, a sandbox session's key, or a console session with a domain. */
	tenant: TenantPrincipal;
	service: ServicePrincipal;
	/** The holder of the admin key, or a console session with the role of an admin. */
	admin: AdminPrincipal | ConsolePrincipal;
	console: ConsolePrincipal;
	upload: never;
	playback: never;
};
/** A principal, and who stands behind it. */
export type Authenticated<A extends keyof Principals> = {
	readonly principal: Principals[A];
	/** The console session that the principal was made from; `null` for all other credentials. */
	readonly session: ConsolePrincipal | null;
};
/**
 * Turns the credentials of a request into a principal, by the `auth` of an operation. A credential that proves itself
 * without a look-up (the admin key by its hash, a service token and a console session by their signatures) is never
 * refused for what other clients at its address did. Every other credential is a guess, and counts as one before it is
 * looked up.
 */
export type Authenticate = {
	readonly [A in keyof Principals]: (credentials: Credentials, guess: Guess) => Promise<Authenticated<A>>;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const byKey = <P>(principal: P): { principal: P; session: null } => ({ principal, session: null });

/** Creates the authentication of every plane. It refuses a credential of another plane as the contract says. */
export function createAuthenticate(engine: Engine, adminKey: string | undefined): Authenticate {
	/** Refuses a key on a plane where it opens nothing. A domain key learns no more than that nothing is there. */
	const refuseKey = async (authorization: string | null, guess: Guess): Promise<never> => {
		await guess();
		await engine.keys.authenticate(authorization);
		throw new ReelmillError("not_found");
	};
	const unserved = async (_credentials: Credentials, guess: Guess): Promise<never> => {
		await guess();
		throw new ReelmillError("unauthorized");
	};
	return {
		none: async () => byKey(null),
		async tenant({ authorization, session: token, domainId }, guess) {
			if (token === null) return byKey(await engine.keys.authenticate(authorization));
			const session = await engine.console.authenticate(token, guess);
			return { principal: await tenantOfSession(engine, session, domainId), session };
		},
		service: async ({ authorization }, guess) => byKey(await engine.accounts.authenticate(authorization, guess)),
		async admin({ authorization, session: token }, guess) {
			const sent = /^bearer +([^ ].*)$/i.exec(authorization ?? "")?.[1]?.trimEnd();
			if (sent !== undefined && adminKey !== undefined && timingSafeEqual(digest(sent), digest(adminKey)))
				return byKey({ kind: "admin" });
			if (token === null) return refuseKey(authorization, guess);
			const session = await engine.console.authenticate(token, guess);
			if (session.role !== "admin") throw new ReelmillError("not_found");
			return { principal: session, session };
		},
		async console({ authorization, session: token }, guess) {
			if (token === null) return refuseKey(authorization, guess);
			const session = await engine.console.authenticate(token, guess);
			return { principal: session, session };
		},
		upload: unserved,
		playback: unserved,
	};
}
