import { createServer } from "node:http";
import Provider from "oidc-provider";
import { listen } from "./open-service.ts";

export const client = { clientId: "reelmill", clientSecret: "secret-of-the-client-0123456789" };

/** Claims of the accounts of the provider, by subject. */
export type People = Record<string, { email?: string; email_verified?: boolean }>;
export type RealProvider = {
	readonly issuer: string;
	/** Who signs in next, without being asked for anything. */
	person: string;
	/** Serves clients that are led back to this address alone. */
	serve(redirectUri: string): void;
	close(): Promise<void>;
};

/** A real OpenID Connect provider (`oidc-provider`), whose people sign in as soon as they arrive. */
export async function openRealProvider(people: People): Promise<RealProvider> {
	const server = createServer();
	const issuer = await listen(server);
	const opened: RealProvider = {
		issuer,
		person: "",
		serve(redirectUri) {
			const provider: Provider = new Provider(issuer, {
				clients: [
					{
						client_id: client.clientId,
						client_secret: client.clientSecret,
						redirect_uris: [redirectUri],
						grant_types: ["authorization_code"],
						response_types: ["code"],
					},
				],
				claims: { openid: ["sub"], email: ["email", "email_verified"] },
				cookies: { keys: ["key-of-the-tests"] },
				features: { devInteractions: { enabled: false } },
				findAccount: (_, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
				interactions: { url: (_, { uid }) => `/interaction/${uid}` },
				async loadExistingGrant({ oidc }) {
					const grant = new provider.Grant({ clientId: client.clientId, accountId: oidc.session?.accountId ?? "" });
					grant.addOIDCScope("openid email");
					await grant.save();
					return grant;
				},
				pkce: { required: () => true },
			});
			const answer = provider.callback();
			server.on("request", (request, response) => {
				if (!request.url?.startsWith("/interaction/")) return answer(request, response);
				return provider.interactionFinished(request, response, { login: { accountId: opened.person } });
			});
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return opened;
}
