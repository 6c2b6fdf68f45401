import { createHash, timingSafeEqual } from "node:crypto";
import { ReelmillError } from "@reelmill/contracts";
import type { Engine, ServicePrincipal, TenantPrincipal } from "@reelmill/engine";
import type { Guess } from "./guess.ts";

export type AdminPrincipal = { readonly kind: "admin" };

/** Whom a handler acts for, by the `auth` of its operation. */
export type Principals = {
	none: null;
	tenant: TenantPrincipal;
	service: ServicePrincipal;
	admin: AdminPrincipal;
	console: never;
	upload: never;
	playback: never;
};
/**
 * Turns an Authorization header into a principal, by the `auth` of an operation. A credential that proves itself
 * without a look-up (the admin key by its hash, a service token by its signature) is never refused for what other
 * clients at its address did. Every other credential is a guess, and counts as one before it is looked up.
 */
export type Authenticate = {
	readonly [A in keyof Principals]: (authorization: string | null, guess: Guess) => Promise<Principals[A]>;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Creates the authentication of every plane. It refuses a credential of another plane as the contract says. */
export function createAuthenticate(engine: Engine, adminKey: string | undefined): Authenticate {
	const unserved = async (_authorization: string | null, guess: Guess): Promise<never> => {
		await guess();
		throw new ReelmillError("unauthorized");
	};
	return {
		none: async () => null,
		tenant: (authorization) => engine.keys.authenticate(authorization),
		service: (authorization, guess) => engine.accounts.authenticate(authorization, guess),
		async admin(authorization, guess) {
			const sent = /^bearer +([^ ].*)$/i.exec(authorization ?? "")?.[1]?.trimEnd();
			if (sent !== undefined && adminKey !== undefined && timingSafeEqual(digest(sent), digest(adminKey)))
				return { kind: "admin" };
			await guess();
			await engine.keys.authenticate(authorization);
			throw new ReelmillError("not_found");
		},
		console: unserved,
		upload: unserved,
		playback: unserved,
	};
}
