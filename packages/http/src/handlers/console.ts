import type { Engine } from "@reelmill/engine";
import { createCookies } from "../console/cookies.ts";
import type { Handlers } from "../json/operations.ts";
import { WithHeaders } from "../json/with-headers.ts";
import type { HttpOptions } from "../options.ts";

type Names = "getConsoleSignIn" | "createConsoleSession" | "getConsoleSession" | "deleteConsoleSession";

export function consoleHandlers(
	{ baseUrl, console, rateLimits }: Engine,
	{ identityProvider }: HttpOptions,
): Pick<Handlers, Names> {
	const { session: cookie } = createCookies(baseUrl);
	return {
		getConsoleSignIn: async () => ({ secret: console.hasSecret, provider: identityProvider !== undefined }),
		async createConsoleSession({ input: { body }, by, request }) {
			// A guess is counted before it is compared, so that a right one doesn't pass beyond the limit.
			await rateLimits.take("secret" in body ? "consoleSecret" : "failedAuthentication", request.clientKey);
			const replaces = cookie.read(request.header("cookie"));
			const signedIn = await console.signIn(body, { replaces, from: fromOf(by) });
			return new WithHeaders(signedIn.session, { "set-cookie": cookie.give(signedIn.token, signedIn.seconds) });
		},
		getConsoleSession: ({ principal }) => console.session(principal),
		async deleteConsoleSession({ principal, by }) {
			await console.signOut(principal, by);
			return new WithHeaders(undefined, { "set-cookie": cookie.takeBack() });
		},
	};
}

const fromOf = ({ address, requestId }: { address: string | null; requestId: string | null }) => ({
	address,
	requestId,
});
