import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import type { Engine } from "@reelmill/engine";
import { createCookies } from "../console/cookies.ts";
import { createProvider } from "../console/identity-provider.ts";
import { signInPage, wantsPage } from "../console/sign-in-page.ts";
import type { Handlers } from "../json/operations.ts";
import type { JsonRequest } from "../json/request.ts";
import { type Rendered, WithHeaders } from "../json/with-headers.ts";
import type { HttpOptions } from "../options.ts";
import { problemOf } from "../problem.ts";

type Names = "startOauth" | "completeOauth";
type Step = Promise<WithHeaders<undefined>>;

const failed = (message: string, cause?: unknown) => new ReelmillError("oauth_failed", { message, cause });
const notBegun =
	"This sign-in was not begun in this browser, was used already, or took longer than ten minutes. Begin anew.";

/**
 * The round trip to the identity provider: `startOauth` leads there, the provider leads back to `completeOauth`. Where
 * a browser asks, a failure is a page that a person can read.
 */
export function consoleOauthHandlers(engine: Engine, { identityProvider }: HttpOptions): Pick<Handlers, Names> {
	const { baseUrl, clock, console, logger, rateLimits } = engine;
	const { session: sessionCookie, roundTrip: cookie } = createCookies(baseUrl);
	const redirectUri = `${baseUrl}/console/v1/oauth/callback`;
	const provider =
		identityProvider && createProvider(identityProvider, { redirectUri, elapsed: () => clock.elapsed() });
	const lead = (location: string, setCookie: string) =>
		new WithHeaders(undefined, { location, "set-cookie": setCookie, "cache-control": "no-store" });

	/** Does a step; its failure is a page if the client asks for one. */
	const forPerson = async (
		request: Pick<JsonRequest, "header" | "requestId">,
		step: Step,
	): Promise<Awaited<Step> | Rendered> => {
		try {
			return await step;
		} catch (error) {
			if (!isReelmillError(error) || !wantsPage(request.header("accept"))) throw error;
			return signInPage(error, problemOf(error, clock.now()), request.requestId);
		}
	};
	/** Returns what the provider gives, or refuses the sign-in and logs why. The log gets no code and no token. */
	const asked = async <T>(what: string, requestId: string, give: Promise<T>): Promise<T> => {
		try {
			return await give;
		} catch (error) {
			const { message, code, cause } = error as Error & { code?: string };
			const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
			logger.warn({ request_id: requestId, reason, code }, "signing in at the identity provider failed");
			throw failed(what, error);
		}
	};

	const start = async (request: JsonRequestPart): Step => {
		if (provider === undefined) throw new ReelmillError("not_found");
		await rateLimits.take("consoleOauth", request.clientKey);
		await asked("The identity provider can't be reached.", request.requestId, provider.find());
		const begun = await console.roundTrips.begin();
		return lead(await provider.signInUrl(begun), cookie.give(begun.browser, roundTripSeconds));
	};
	const complete = async (
		request: JsonRequestPart,
		query: Readonly<Record<string, unknown>>,
		from: { readonly address: string | null; readonly requestId: string | null },
	): Step => {
		if (provider === undefined) throw new ReelmillError("not_found");
		const answer = new URLSearchParams(query as Record<string, string>);
		const cookies = request.header("cookie");
		const [state, browser] = [answer.get("state"), cookie.read(cookies)];
		const begun = state === null || browser === null ? null : await console.roundTrips.end({ state, browser });
		if (begun === null) throw failed(notBegun);
		const refused = "The identity provider's answer was not accepted.";
		const identity = await asked(refused, request.requestId, provider.identityOf(answer, begun));
		const signedIn = await console.signInAs(identity, { replaces: sessionCookie.read(cookies), from });
		return lead(`${baseUrl}/console/`, sessionCookie.give(signedIn.token, signedIn.seconds));
	};

	return {
		startOauth: ({ request }) => forPerson(request, start(request)),
		completeOauth: ({ request, input, by: { address, requestId } }) =>
			forPerson(request, complete(request, input.query, { address, requestId })),
	};
}

type JsonRequestPart = Pick<JsonRequest, "header" | "clientKey" | "requestId">;
const roundTripSeconds = 600;
