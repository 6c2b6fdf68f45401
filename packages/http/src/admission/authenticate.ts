import { createHash, timingSafeEqual } from "node:crypto";
import { ReelmillError } from "@reelmill/contracts";
import type { Engine, ServicePrincipal, TenantPrincipal } from "@reelmill/engine";
import type { Guess } from "./guess.ts";

export type AdminPrincipal = { readonly kind: "admin" };

/** Who a handler acts for, by the `auth` of its operation. */
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
 * By the `auth` of an operation. What proves itself without a look-up (the admin key by its hash, a service token by
 * its signature) is taken first, and refused for nothing that others at its address did; anything else is a guess, and
 * counted as one before it is looked up.
 */
export type Authenticate = {
	readonly [A in keyof Principals]: (authorization: string | null, guess: Guess) => Promise<Principals[A]>;
};

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/**
 * Turns an Authorization header into a principal, plane by plane. A credential of another plane is refused as the
 * contract says for each.
 */
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
