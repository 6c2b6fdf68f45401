import { asObject, sha256 } from "./base64url.ts";
import { type SigningKeys, verifySignature } from "./signing-keys.ts";

/** What the service says of a domain: what has changed lately, in the form of `GET /v1/edge/{domain}`. */
export type Feed = {
	/** The domain's id. */
	readonly domain: string;
	/** Keys of earlier epochs are revoked. */
	readonly epoch: number;
	/** Viewers with a revocation in force, by their pseudonym, each with the version of the newest. */
	readonly viewers: ReadonlyMap<string, string>;
	/** Videos that were changed in the last 25 h, by their digest, each with the version of the newest change. */
	readonly videos: ReadonlyMap<string, string>;
	/** Changes when videos leave the list early. */
	readonly generation: string;
};

export type ProvenFeed = {
	readonly feed: Feed;
	/** The service's time of the proof, in seconds since the epoch. */
	readonly issuedAt: number;
};

/**
 * Reads a feed and verifies the service's proof of it.
 *
 * @throws {TypeError} when the proof is not the service's, is of another text or another domain, or when the text is no
 * feed.
 */
export async function readFeed(
	text: string,
	{ proof, domain, keys }: { proof: string; domain: string; keys: SigningKeys },
): Promise<ProvenFeed> {
	const verdict = await verifySignature(proof, keys);
	if (verdict.kind !== "genuine") throw new TypeError(`The proof of the feed is ${verdict.kind}.`);
	const { aud, domain: proven, sha256: sum, iat } = verdict.payload;
	if (aud !== "reelmill-edge" || proven !== domain) throw new TypeError("The proof is of another thing.");
	if (sum !== (await sha256(text))) throw new TypeError("The proof is of another feed.");
	if (!Number.isSafeInteger(iat)) throw new TypeError("The proof has no time.");
	return { feed: parseFeed(text, domain), issuedAt: iat as number };
}

function parseFeed(text: string, domain: string): Feed {
	const feed = asObject(JSON.parse(text));
	const viewers = versions(feed?.["viewers"]);
	const videos = versions(feed?.["videos"]);
	const { epoch, generation } = feed ?? {};
	if (feed?.["domain"] !== domain || viewers === null || videos === null) throw new TypeError("This is no feed.");
	if (!Number.isSafeInteger(epoch) || typeof generation !== "string") throw new TypeError("This is no feed.");
	return { domain, epoch: epoch as number, viewers, videos, generation };
}

function versions(value: unknown): ReadonlyMap<string, string> | null {
	const entries = Object.entries(asObject(value) ?? { none: null });
	return entries.every(([, version]) => typeof version === "string") ? new Map(entries as [string, string][]) : null;
}
