import { consoleCookieOf } from "@reelmill/contracts";
import { parse, serialize } from "hono/utils/cookie";

/** A cookie that scripts can't read and that other sites' requests carry only where a person follows a link. */
export type Cookie = {
	/** Returns the value in a Cookie header; `null` if there is none. */
	read(header: string | null): string | null;
	/** Returns a Set-Cookie header that gives the browser this value for so long. */
	give(value: string, seconds: number): string;
	/** Returns a Set-Cookie header that takes the value back. */
	takeBack(): string;
};

/** Browsers keep no cookie for longer, and the library refuses to try. */
const longestSeconds = 400 * 86_400;

function createCookie(name: string, secure: boolean): Cookie {
	const attributes = { path: "/", httpOnly: true, secure, sameSite: "Lax" } as const;
	return {
		read: (header) => (header === null ? null : (parse(header, name)[name] ?? null)),
		give: (value, seconds) => serialize(name, value, { ...attributes, maxAge: Math.min(seconds, longestSeconds) }),
		takeBack: () => serialize(name, "", { ...attributes, maxAge: 0 }),
	};
}

/**
 * Creates the cookies of an installation with this base URL: that of the session, and that of a round trip to the
 * identity provider. On https they belong to this very host, and travel by TLS alone.
 */
export function createCookies(baseUrl: string): { readonly session: Cookie; readonly roundTrip: Cookie } {
	const secure = baseUrl.startsWith("https://");
	return {
		session: createCookie(consoleCookieOf(baseUrl), secure),
		roundTrip: createCookie(`${secure ? "__Host-" : ""}reelmill_sign_in`, secure),
	};
}
