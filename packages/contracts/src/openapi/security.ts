import type { Auth, Operation } from "../operation.ts";
import { consoleCookieOf } from "../resources/console.ts";

const bearer = (description: string) => ({ type: "http", scheme: "bearer", description }) as const;

/** Returns every kind of credential, by its name in the document of a server at this address. */
export const securitySchemesOf = (serverUrl: string) =>
	({
		domainKey: bearer("A domain's key, `ek_...`. It belongs on servers only, never in a browser."),
		sandboxKey: bearer("The key of a sandbox session, `ek_...`. It sees only what was made with it."),
		consoleSession: {
			type: "apiKey",
			in: "cookie",
			name: consoleCookieOf(serverUrl),
			description:
				"A session of the web console. Requests other than GET need the header `x-service-console`; operations on a domain need `x-service-domain` with the domain's id.",
		},
		uploadToken: bearer("The token that initiating an upload gave, for that one upload."),
		playbackKey: bearer("A playback key, minted for one viewer. Not needed for a public video."),
		serviceToken: bearer("A worker's token with `video:process`, issued for a service account."),
		adminKey: bearer("The operator's key."),
	}) as const;

type Requirement = { [S in keyof ReturnType<typeof securitySchemesOf>]?: string[] };

const byAuth: { readonly [A in Auth]: readonly Requirement[] } = {
	none: [],
	tenant: [{ domainKey: [] }, { consoleSession: [] }],
	service: [{ serviceToken: [] }],
	admin: [{ adminKey: [] }, { consoleSession: [] }],
	console: [{ consoleSession: [] }],
	upload: [{ uploadToken: [] }],
	playback: [{}, { playbackKey: [] }],
};

/** Returns the credentials of an operation, any one of which is enough; empty if it needs none. */
export function requirements(operation: Operation): Record<string, string[]>[] {
	const sandbox: Requirement[] = operation.sandbox === "allowed" ? [{ sandboxKey: [] }] : [];
	return [...byAuth[operation.auth], ...sandbox] as Record<string, string[]>[];
}
