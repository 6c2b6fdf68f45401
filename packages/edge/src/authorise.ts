import { isTrusted, serviceTime } from "./knowledge/domain-knowledge.ts";
import type { Knowledge } from "./knowledge/follow.ts";
import { verifySignature } from "./knowledge/signing-keys.ts";
import { parseDeliveryPath } from "./path.ts";

/** What `authorise` reads of a request. */
export type AuthoriseRequest = {
	readonly method: string;
	/** The path as the client sent it, with its query. */
	readonly target: string;
	/** The header's value; null if there is none. */
	readonly authorization: string | null;
};

/**
 * What an edge may do with a request:
 *
 * - `pass`: give it to the service as it came, and keep nothing. It is written in a way that only the service reads.
 * - `verified`: the key opens this domain's private videos, or those of a sandbox session. What the service has answered
 *   to another verified key of the same `scope` may be given out. If `revoked` is there, the key's viewer has a
 *   revocation in force, and only the service knows whether this key is older than it.
 * - `open`: there is no key, or the edge can't say that it is good. Only what is public may be given out; for the rest
 *   the service decides. `key` says what the key looks like: a `forged` one can't be good.
 * - `stale`: nothing may be acted upon, because no proven feed came lately.
 */
export type Decision =
	| { readonly kind: "pass" }
	| {
			readonly kind: "verified";
			readonly videoId: string;
			readonly path: string;
			readonly domain: string;
			readonly scope: string;
			readonly revoked: { readonly viewer: string; readonly version: string } | null;
	  }
	| {
			readonly kind: "open" | "stale";
			readonly videoId: string;
			readonly path: string;
			readonly key: "none" | "forged" | "unknown";
	  };

/**
 * Decides by a request and by what is known, without asking anybody. `now` is the monotonic clock of the knowledge, in
 * milliseconds. The edge's own idea of the date is not asked, so it may be wrong.
 */
export async function authorise(
	{ method, target, authorization }: AuthoriseRequest,
	{ keys, domains }: Knowledge,
	now: number,
): Promise<Decision> {
	const place = parseDeliveryPath(target);
	if (place === null || (method !== "GET" && method !== "HEAD")) return { kind: "pass" };
	const trusted = [...domains.values()].some((known) => isTrusted(known, now));
	const open = (key: "none" | "forged" | "unknown"): Decision => ({
		kind: trusted ? "open" : "stale",
		...place,
		key,
	});
	if (authorization === null) return open("none");
	const token = bearer.exec(authorization)?.[1];
	if (token === undefined || token.length > longestToken) return open("unknown");
	const verdict = await verifySignature(token, keys);
	if (verdict.kind !== "genuine") return open(verdict.kind);
	const claims = verdict.payload as Claims;
	const known = typeof claims.domain === "string" ? domains.get(claims.domain) : undefined;
	if (known === undefined) return open("unknown");
	if (!isTrusted(known, now)) return { kind: "stale", ...place, key: "unknown" };
	const { feed } = known;
	const isGood =
		claims.aud === "service-playback" &&
		typeof claims.exp === "number" &&
		claims.exp > serviceTime(known, now) + slowSeconds &&
		typeof claims.epoch === "number" &&
		claims.epoch >= feed.epoch &&
		typeof claims.viewer === "string" &&
		(claims.videos === undefined || (Array.isArray(claims.videos) && claims.videos.includes(place.videoId))) &&
		(claims.session === undefined || typeof claims.session === "string");
	if (!isGood) return open("unknown");
	const version = feed.viewers.get(claims.viewer as string);
	return {
		kind: "verified",
		...place,
		domain: feed.domain,
		scope: `${feed.domain}/${claims.session ?? ""}`,
		revoked: version === undefined ? null : { viewer: claims.viewer as string, version },
	};
}

type Claims = Readonly<Partial<Record<"aud" | "exp" | "domain" | "epoch" | "viewer" | "videos" | "session", unknown>>>;

/** The service takes more forms than this one; it is asked about them. */
const bearer = /^Bearer ([A-Za-z0-9_.-]+)$/i;
/** Of a key for 20 videos there is room for three times as many. */
const longestToken = 4096;
/** The service's time is known but for 2 s. In the last moments of a key the service decides. */
const slowSeconds = 2;
