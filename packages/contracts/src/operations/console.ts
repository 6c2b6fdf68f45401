import * as z from "zod";
import { defineOperation } from "../operation.ts";
import { ConsoleSession, CreateConsoleSession } from "../resources/console.ts";

const cookie = { "Set-Cookie": "The session, HttpOnly and SameSite=Lax, Secure on https." };

export const createConsoleSession = defineOperation({
	method: "POST",
	path: "/console/v1/session",
	plane: "console",
	tag: "Console",
	summary: "Sign in with the self-host secret or a sign-in link",
	description:
		"Signs in as admin, and ends the session that the request came with. A link works once, for 15 minutes. Needs the header x-service-console, as every console request but GET does. A secret that is wrong, or a link that was used, has expired or never was, is `invalid_secret`; sign-ins with the secret are counted, 10 in 10 minutes and address. `not_found` where no secret is set.",
	auth: "none",
	audit: "console.signed_in",
	body: CreateConsoleSession,
	success: { status: 200, body: ConsoleSession },
	responseHeaders: cookie,
	errors: ["invalid_secret", "account_disabled", "csrf_check_failed", "rate_limited", "not_found"],
});

export const startOauth = defineOperation({
	method: "GET",
	path: "/console/v1/oauth/start",
	plane: "console",
	tag: "Console",
	summary: "Sign in with the identity provider",
	description:
		"OpenID Connect with PKCE, state and nonce; the state is bound to the browser by a cookie. `oauth_failed` if the provider can't be reached, and here and on the way back a page for a person if text/html is accepted. 60 in 10 minutes and address. `not_found` where no provider is configured.",
	auth: "none",
	success: { status: 302, says: "The browser goes to the provider's sign-in page." },
	failsAsPage: true,
	responseHeaders: { Location: "The provider's sign-in page.", "Set-Cookie": "The state of this round trip." },
	errors: ["oauth_failed", "rate_limited", "not_found"],
});

export const completeOauth = defineOperation({
	method: "GET",
	path: "/console/v1/oauth/callback",
	plane: "console",
	tag: "Console",
	summary: "Come back from the identity provider",
	description:
		"Opens a session and leads to the console. Works once, within 10 minutes of the start, in the browser that began it. An account is an admin if the provider vouches for its e-mail address and the address is among the console's admins; else a member.",
	auth: "none",
	audit: "console.signed_in",
	query: z.looseObject({
		state: z
			.string()
			.optional()
			.meta({
				description: "The state that the start of the round trip gave the provider.",
				examples: ["c3RhdGU"],
			}),
		code: z
			.string()
			.optional()
			.meta({
				description: "The provider's code, which is exchanged for the account; missing if it refused.",
				examples: ["Y29kZQ"],
			}),
		error: z
			.string()
			.optional()
			.meta({
				description: "Why the provider refused, in its own words.",
				examples: ["access_denied"],
			}),
	}),
	success: { status: 302, says: "The person is signed in, and the browser goes to the console." },
	failsAsPage: true,
	responseHeaders: { Location: "The console.", ...cookie },
	errors: ["oauth_failed", "account_disabled", "not_found"],
});

export const getConsoleSession = defineOperation({
	method: "GET",
	path: "/console/v1/session",
	plane: "console",
	tag: "Console",
	summary: "Read who is signed in",
	auth: "console",
	success: { status: 200, body: ConsoleSession },
	errors: [],
});

export const deleteConsoleSession = defineOperation({
	method: "DELETE",
	path: "/console/v1/session",
	plane: "console",
	tag: "Console",
	summary: "Sign out",
	auth: "console",
	audit: "console.signed_out",
	success: { status: 204, says: "The session has ended." },
	responseHeaders: { "Set-Cookie": "Takes the cookie back." },
	errors: [],
});
