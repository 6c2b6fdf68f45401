import { headersOfFile } from "../headers/forwarded.ts";
import { type DomainKnowledge, isTrusted, stateOf } from "../knowledge/domain-knowledge.ts";
import type { Knowledge } from "../knowledge/follow.ts";

/** What the service said of a file: everything but its bytes. */
export type File = {
	/** The domain that it belongs to, and the state of its video when the service was asked. */
	readonly domain: string;
	readonly state: string;
	/** Whether anybody may read it; otherwise the viewers of one scope may. */
	readonly isPublic: boolean;
	readonly size: number;
	/** A strong validator in its quotes: it names the bytes. */
	readonly etag: string;
	readonly headers: readonly (readonly [string, string])[];
	/** When the service said it, and until when that is believed, in milliseconds since the epoch. */
	readonly saidAt: number;
	readonly freshUntil: number;
};

/** How long the service's word about a file is believed. Bytes are kept for longer: their ETag names them. */
const mediaSeconds = 60;
const textSeconds = 10;
/** How long anything is kept: a video's change stands in the feed for an hour more. */
export const keptSeconds = 24 * 3600;

/** Whether what was said of the file is true in the light of the feed: its domain's feed is trusted, and names no change. */
export function isCurrent(file: File, digest: string, { domains }: Knowledge, monotonic: number): boolean {
	const known = domains.get(file.domain);
	return known !== undefined && isTrusted(known, monotonic) && stateOf(known, digest) === file.state;
}

/** What an answer of the service about a file says of who may have it; null if nothing of it may be kept. */
export function audienceOf(headers: Headers): "public" | "private" | null {
	const directives = (headers.get("cache-control") ?? "")
		.toLowerCase()
		.split(",")
		.map((one) => one.trim());
	const vary = (headers.get("vary") ?? "")
		.toLowerCase()
		.split(",")
		.map((one) => one.trim());
	const isPlain =
		!directives.includes("no-store") &&
		vary.every((name) => knownVariations.has(name)) &&
		!headers.has("set-cookie") &&
		(headers.get("content-encoding") ?? "identity") === "identity";
	if (!isPlain || directives.includes("public") === directives.includes("private")) return null;
	return directives.includes("public") ? "public" : "private";
}

/** What an answer may depend on. The key of what is kept has the origin; who may have it is decided for each request. */
const knownVariations: ReadonlySet<string> = new Set(["", "authorization", "origin", "accept-encoding"]);

/** Returns the file that a 200 or 206 tells of; null if it doesn't tell enough to keep it. */
export function fileOf(
	{ headers }: Response,
	{
		size,
		digest,
		known,
		isPublic,
		now,
	}: {
		size: number;
		digest: string;
		known: DomainKnowledge;
		isPublic: boolean;
		now: number;
	},
): File | null {
	const etag = headers.get("etag");
	if (etag === null || !/^"[\x21\x23-\x7e]{1,300}"$/.test(etag)) return null;
	return {
		domain: known.feed.domain,
		state: stateOf(known, digest),
		isPublic,
		size,
		etag,
		headers: headersOfFile(headers),
		...times(headers.get("content-type") ?? "", now),
	};
}

/** Returns the file after the service has said, by a 304, that it is what it was. */
export function confirmed(file: File, headers: Headers, now: number): File {
	const said = new Map([...file.headers, ...headersOfFile(headers)]);
	// An origin that was taken from the list of the domain may not read it any more.
	for (const name of ["access-control-allow-origin", "vary"]) if (!headers.has(name)) said.delete(name);
	return { ...file, headers: [...said], ...times(said.get("content-type") ?? "", now) };
}

const times = (contentType: string, now: number) => ({
	saidAt: now,
	freshUntil: now + (/^(?:video|audio|image)\//.test(contentType) ? mediaSeconds : textSeconds) * 1000,
});
