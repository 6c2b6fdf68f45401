import { canonicalId, consoleCookieOf, consoleHeaders } from "@reelmill/contracts";
import { parse } from "hono/utils/cookie";

/** Where a request's credentials are read. */
export interface CredentialHeaders {
	/** The Authorization header; `null` if there is none. */
	readonly authorization: string | null;
	/** Returns the header of this name in lower case; `null` if there is none. */
	header(name: string): string | null;
}

/** What a request brings along to be let in. */
export type Credentials = {
	/** The Authorization header; `null` if there is none. */
	readonly authorization: string | null;
	/**
	 * The token of the console session in the cookie; `null` if there is none. Beside an Authorization header no cookie
	 * counts.
	 */
	readonly session: string | null;
	/**
	 * Whether the request has the header x-service-console. A page of another origin can't send it, because no answer
	 * allows it to.
	 */
	readonly isFromConsole: boolean;
	/** The domain that x-service-domain selects; `null` if there is no such header. */
	readonly domainId: string | null;
};

/** Node accepts no longer headers. A longer one holds no session. */
const longestHeader = 16_384;

/** Creates the function that reads a request's credentials. The name of the cookie depends on the base URL. */
export function createCredentialsOf(baseUrl: string): (request: CredentialHeaders) => Credentials {
	const name = consoleCookieOf(baseUrl);
	return (request) => {
		const { authorization } = request;
		const isFromConsole = request.header(consoleHeaders.console) !== null;
		const cookie = authorization === null ? request.header("cookie") : null;
		if (cookie === null) return { authorization, session: null, isFromConsole, domainId: null };
		const session = cookie.length > longestHeader ? null : (parse(cookie, name)[name] ?? null);
		const domainId = request.header(consoleHeaders.domain);
		return { authorization, session, isFromConsole, domainId: domainId && canonicalId(domainId) };
	};
}
