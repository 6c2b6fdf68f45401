import * as client from "openid-client";
import type { IdentityProvider } from "../options.ts";

/** What a round trip to the provider is tied to. */
type Ties = { readonly state: string; readonly nonce: string; readonly verifier: string };
/** The account that the provider vouches for. */
type Vouched = {
	readonly issuer: string;
	readonly subject: string;
	readonly email: string | null;
	readonly emailVerified: boolean;
};

export type Provider = {
	/** Resolves once the provider is known. Rejects if it can't be reached. */
	find(): Promise<void>;
	/** Returns the address of the provider's sign-in page. Rejects if the provider can't be reached. */
	signInUrl(ties: Ties): Promise<string>;
	/**
	 * Returns whom the provider vouches for. It proves the provider's answer, spends its code and proves the token:
	 * signature, issuer, audience, authorised party, nonce and time. Rejects for whatever does not hold, and if the
	 * provider does not answer.
	 */
	identityOf(answer: URLSearchParams, ties: Ties): Promise<Vouched>;
};

const defaultTimeoutSeconds = 10;
/** How long what the provider publishes about itself is taken as known. */
const knownMilliseconds = 3_600_000;
/** The longest subject that OpenID Connect allows, and the longest e-mail address. */
const [longestSubject, longestEmail] = [255, 320];

/**
 * Creates the client of an OpenID Connect provider, which leads back to `redirectUri`. Nothing is asked before the
 * first sign-in, so a server starts without its provider.
 *
 * @throws {TypeError} when the issuer is not an https address, nor an http one on the loopback.
 */
export function createProvider(
	{ issuer, clientId, clientSecret, timeoutSeconds = defaultTimeoutSeconds }: IdentityProvider,
	{ redirectUri, elapsed }: { readonly redirectUri: string; readonly elapsed: () => number },
): Provider {
	const address = issuerAddress(issuer);
	const discover = async (): Promise<client.Configuration> => {
		const found = await client.discovery(address, clientId, undefined, client.None(), {
			timeout: timeoutSeconds,
			...(address.protocol === "http:" && { execute: [client.allowInsecureRequests] }),
		});
		const server = found.serverMetadata();
		// The library takes the method as given, and the provider says which ones it takes: RFC 8414's default is basic.
		const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
		const byBasic = methods.includes("client_secret_basic");
		const secret = byBasic ? client.ClientSecretBasic(clientSecret) : client.ClientSecretPost(clientSecret);
		const config = new client.Configuration(
			server,
			clientId,
			undefined,
			clientSecret === undefined ? client.None() : secret,
		);
		config.timeout = timeoutSeconds;
		// Without it the library trusts the connection that a token came by, and looks at no signature.
		client.enableNonRepudiationChecks(config);
		if (address.protocol === "http:") client.allowInsecureRequests(config);
		return config;
	};
	let known: { readonly config: Promise<client.Configuration>; readonly at: number } | undefined;
	const configuration = (): Promise<client.Configuration> => {
		if (known !== undefined && elapsed() - known.at < knownMilliseconds) return known.config;
		const discovered = { config: discover(), at: elapsed() };
		known = discovered;
		discovered.config.catch(() => {
			if (known === discovered) known = undefined;
		});
		return discovered.config;
	};

	return {
		find: async () => void (await configuration()),
		async signInUrl({ state, nonce, verifier }) {
			const config = await configuration();
			return client.buildAuthorizationUrl(config, {
				redirect_uri: redirectUri,
				scope: "openid email",
				state,
				nonce,
				code_challenge: await client.calculatePKCECodeChallenge(verifier),
				code_challenge_method: "S256",
			}).href;
		},
		async identityOf(answer, { state, nonce, verifier }) {
			const config = await configuration();
			const tokens = await client.authorizationCodeGrant(config, new URL(`?${answer}`, redirectUri), {
				expectedState: state,
				expectedNonce: nonce,
				pkceCodeVerifier: verifier,
				idTokenExpected: true,
			});
			const claims = tokens.claims();
			if (claims === undefined) throw new Error("the provider gave no ID token");
			// The library looks at it only if the token has several audiences.
			if (claims.azp !== undefined && claims.azp !== clientId)
				throw new Error("the ID token is for another authorised party");
			if (claims.sub.length > longestSubject || !isStorable(claims.sub))
				throw new Error("the ID token has an impossible subject");
			const asks = claims["email"] === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
			const told = asks ? await client.fetchUserInfo(config, tokens.access_token, claims.sub) : claims;
			const { email } = told;
			const isAddress = typeof email === "string" && email.length <= longestEmail && isStorable(email);
			return {
				issuer: claims.iss,
				subject: claims.sub,
				email: isAddress ? email : null,
				emailVerified: isAddress && told.email_verified === true,
			};
		},
	};
}

const isStorable = (text: string): boolean => text !== "" && !text.includes("\0") && text.isWellFormed();

/**
 * Checks the option `identityProvider` without asking the provider.
 *
 * @throws {TypeError} when the issuer is not an https address, nor an http one on the loopback.
 * @example
 * ```ts
 * import { checkIdentityProvider } from "@reelmill/http";
 *
 * console.log(checkIdentityProvider({ issuer: "https://login.example.com", clientId: "reelmill" })); // => undefined
 * ```
 */
export const checkIdentityProvider = ({ issuer }: IdentityProvider): void => void issuerAddress(issuer);

function issuerAddress(issuer: string): URL {
	const address = URL.canParse(issuer) ? new URL(issuer) : null;
	const isLoopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(address?.hostname ?? "");
	if (address?.protocol === "https:" || (address?.protocol === "http:" && isLoopback)) return address;
	throw new TypeError(`${issuer} is no https address`);
}
