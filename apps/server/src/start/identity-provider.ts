import type { IdentityProvider } from "@reelmill/http";
import { StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";

type Settings = Pick<Config, "OIDC_ISSUER" | "OIDC_CLIENT_ID" | "OIDC_CLIENT_SECRET">;

/**
 * Returns the provider by which people sign in to the console; `undefined` if none is set.
 *
 * @throws {StartError} when a setting of it is missing beside another one.
 */
export function identityProviderOf(settings: Settings): IdentityProvider | undefined {
	const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = settings;
	if (issuer !== undefined && clientId !== undefined)
		return { issuer, clientId, ...(clientSecret !== undefined && { clientSecret }) };
	const given = (["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const).find((name) => settings[name]);
	if (given === undefined) return undefined;
	const missing = issuer === undefined ? "REELMILL_OIDC_ISSUER" : "REELMILL_OIDC_CLIENT_ID";
	throw new StartError(`REELMILL_${given} is set, and ${missing} is not: an identity provider needs both.`);
}
