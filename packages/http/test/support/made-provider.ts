import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { listen } from "./open-service.ts";
import { client } from "./real-provider.ts";

type Reply = (response: ServerResponse) => void;
export type TokenRequest = { readonly authorization: string | undefined; readonly body: URLSearchParams };
export type MadeProvider = {
	/** The issuer; each has endpoints of its own. */
	readonly issuer: string;
	/** What is changed of the token; undefined takes a claim out. */
	claims: (nonce: string) => Record<string, unknown>;
	/** Signs the token in place of the provider's key. */
	sign: ((claims: JWTPayload) => Promise<string>) | undefined;
	/** What is changed of what the provider says about itself. */
	metadata: Record<string, unknown>;
	/** Answers in place of an endpoint, by its path. */
	readonly instead: Record<string, Reply>;
	/** The requests for tokens that came in. */
	readonly asked: TokenRequest[];
	/** The nonce of the sign-in under way. */
	nonce: string;
	/** Makes everything right again. */
	reset(): void;
	close(): Promise<void>;
};

export const json =
	(value: unknown, status = 200): Reply =>
	(response) =>
		void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
/** Never answers. */
export const silence: Reply = () => undefined;

/** An OpenID Connect provider made by hand, which can be made to say anything. */
export async function openMadeProvider(): Promise<MadeProvider> {
	const { privateKey, publicKey } = await generateKeyPair("RS256");
	const jwk = { ...(await exportJWK(publicKey)), kid: "1", alg: "RS256", use: "sig" };
	const server = createServer((request, response) => void answer(request, response));
	const issuer = await listen(server);
	const signed = (claims: JWTPayload) =>
		new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "1" }).sign(privateKey);
	const good = (nonce: string) => {
		const now = Math.floor(Date.now() / 1000);
		const whom = { sub: "s-1", email: "person@acme.test", email_verified: true };
		return { iss: issuer, aud: client.clientId, iat: now, exp: now + 60, nonce, ...whom };
	};
	const provider: MadeProvider = {
		issuer,
		claims: () => ({}),
		sign: undefined,
		metadata: {},
		instead: {},
		asked: [],
		nonce: "",
		reset() {
			Object.assign(provider, { claims: () => ({}), sign: undefined, metadata: {} });
			for (const path of Object.keys(provider.instead)) delete provider.instead[path];
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};

	async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = request.url ?? "";
		const instead = provider.instead[path];
		if (instead !== undefined) return instead(response);
		if (path === "/.well-known/openid-configuration")
			return json({
				issuer,
				authorization_endpoint: `${issuer}/authorize`,
				token_endpoint: `${issuer}/token`,
				jwks_uri: `${issuer}/jwks`,
				response_types_supported: ["code"],
				subject_types_supported: ["public"],
				id_token_signing_alg_values_supported: ["RS256"],
				...provider.metadata,
			})(response);
		if (path === "/jwks") return json({ keys: [jwk] })(response);
		if (path !== "/token") return json({}, 404)(response);
		provider.asked.push({
			authorization: request.headers.authorization,
			body: new URLSearchParams(await text(request)),
		});
		const claims = { ...good(provider.nonce), ...provider.claims(provider.nonce) };
		const token = await (provider.sign ?? signed)(JSON.parse(JSON.stringify(claims)));
		return json({ access_token: "a", token_type: "Bearer", expires_in: 60, id_token: token })(response);
	}
	return provider;
}
