import type { Audience, Auth, Operation } from "../operation.ts";
import { consoleCookieOf } from "../resources/console.ts";
import type { SecurityScheme } from "./document.ts";

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
	}) as const satisfies Record<string, SecurityScheme>;

type Scheme = keyof ReturnType<typeof securitySchemesOf>;

const byAuth: { readonly [A in Auth]: readonly Scheme[] } = {
	none: [],
	tenant: ["domainKey", "consoleSession"],
	service: ["serviceToken"],
	admin: ["adminKey", "consoleSession"],
	console: ["consoleSession"],
	upload: ["uploadToken"],
	playback: ["playbackKey"],
};

/**
 * Returns the credentials of an operation that an audience holds, any one of which is enough; empty if it needs none.
 * A session is the console's alone, and the console has nothing else.
 */
export function requirements({ auth, sandbox }: Operation, audience: Audience | "all"): Record<string, string[]>[] {
	const schemes: Scheme[] = [...byAuth[auth], ...(sandbox === "allowed" ? (["sandboxKey"] as const) : [])];
	const isHeld = (scheme: Scheme) => audience === "all" || (audience === "console") === (scheme === "consoleSession");
	return [...(auth === "playback" ? [{}] : []), ...schemes.filter(isHeld).map((scheme) => ({ [scheme]: [] }))];
}
