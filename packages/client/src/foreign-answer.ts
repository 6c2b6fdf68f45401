/**
 * What a foreign answer says of the way to the service, by its status: `sign_in` (a sign-in page answers), `method` (the
 * request's method is refused), `size` (its body is too large), `busy` (too many requests), `broken` (a proxy doesn't
 * reach the service), `other`.
 */
export type Obstacle = "sign_in" | "method" | "size" | "busy" | "broken" | "other";

const obstacles: Readonly<Record<number, Obstacle>> = {
	401: "sign_in",
	403: "method",
	405: "method",
	407: "sign_in",
	408: "broken",
	413: "size",
	429: "busy",
	501: "method",
	511: "sign_in",
};

/**
 * Returns what stands on the way, by the status of an answer that is not the service's. A status below 400 is that of a
 * page in the service's place.
 * @example
 * ```ts
 * import { obstacleOf } from "@reelmill/client";
 *
 * console.log(obstacleOf(200), obstacleOf(413), obstacleOf(502)); // => sign_in size broken
 * ```
 */
export const obstacleOf = (status: number): Obstacle =>
	obstacles[status] ?? (status < 400 ? "sign_in" : status < 500 ? "other" : "broken");

/** A request, as its foreign answer tells of it. */
export type SentBody = {
	method: string;
	/** Where the answer came from. */
	url: string;
	/** The bytes of the request's body. */
	bytes?: number | undefined;
};

/** Returns a header of an answer; nothing if it has none, or if a page may not read it. */
export type HeaderOf = (name: string) => string | null | undefined;

const advice: Readonly<Record<Obstacle, (method: string, bytes?: number) => string>> = {
	sign_in: () =>
		"The base URL leads elsewhere, or a network or a proxy wants a sign-in: sign in there, and let the service's requests and headers pass.",
	method: (method) => `A firewall or a proxy refuses ${method}: allow it for the paths of the service.`,
	size: (_, bytes) =>
		`A proxy refuses bodies of ${bytes ? `${bytes} bytes` : "this size"}: raise its limit (nginx: client_max_body_size).`,
	busy: () => "A proxy limits requests: wait, or raise its limit for the paths of the service.",
	broken: () => "A proxy fails or doesn't reach the service: see its log, and whether the service runs.",
	other: () => "Does the base URL lead to Reelmill, and not only to a proxy before it?",
};

/**
 * Says who answered in the service's place, with what, and what to do about it.
 */
export function foreignMessage(status: number, headerOf: HeaderOf, request: SentBody | undefined): string {
	const { method = "the request", url = "", bytes } = request ?? {};
	const host = URL.canParse(url) ? new URL(url).host : url || "The server";
	const [server, type] = [headerOf("server"), headerOf("content-type")?.split(";")[0]];
	const who = `${host}${server ? ` (${server})` : ""}`;
	const what = `${status}${type ? ` and ${type}` : ""}`;
	return `${who} answered ${method} with ${what}, without an error code: not as Reelmill does. ${advice[obstacleOf(status)](method, bytes)}`;
}
