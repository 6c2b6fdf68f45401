import { hash } from "node:crypto";
import { type EdgeFeed, ReelmillError } from "@reelmill/contracts";
import { SignJWT } from "jose";
import { LRUCache } from "lru-cache";
import { createBriefCache } from "../caches/index.ts";
import type { SigningKey } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { edgeDigest } from "./edge-digest.ts";
import type { EdgeState, EdgeStates } from "./edge-state.ts";
import type { Pseudonyms } from "./pseudonyms.ts";

/** The feed of a domain as it is sent. */
export type EdgeAnswer = {
	/** JSON of an `EdgeFeed`. It is the same on every server that knows the same state and the same master keys. */
	readonly body: string;
	/** A strong validator in its quotes, with the SHA-256 of the body in base64url. */
	readonly etag: string;
	/** Says, signed, that the body held at a moment: a compact JWS. */
	readonly proof: string;
};

export type EdgeFeeds = {
	/**
	 * Returns what an edge must know of this domain, as it was at most 1 s ago. Many who ask at once cost one statement.
	 *
	 * @throws {ReelmillError} `not_found` when there is no such domain, or no keys are signed that an edge can verify.
	 */
	of(domainId: string): Promise<EdgeAnswer>;
};

const stalenessMilliseconds = 1000;
const rememberedKibibytes = 16 * 1024;
const renderedCharacters = 16 * 1024 * 1024;

export function createEdgeFeeds(
	{ clock }: Parts,
	{
		states,
		signingKey,
		pseudonyms,
	}: {
		states: Pick<EdgeStates, "read">;
		/** What signs proofs; null if no edge can verify anything. */
		signingKey: SigningKey | null;
		pseudonyms: Pseudonyms;
	},
): EdgeFeeds {
	const cache = createBriefCache<EdgeAnswer | null>({
		clock,
		max: rememberedKibibytes,
		milliseconds: stalenessMilliseconds,
		roomOf: (answer) => Math.ceil(((answer?.body.length ?? 0) + 1) / 1024),
	});
	// Most states are the one of the second before, and pseudonyms cost more than all the rest.
	const rendered = new LRUCache<string, { readonly body: string; readonly sha256: string }>({
		maxSize: renderedCharacters,
		sizeCalculation: ({ body }) => body.length,
	});
	const render = (domain: string, state: EdgeState) => {
		const name = hash("sha256", domain + JSON.stringify(state), "base64url");
		const known = rendered.get(name);
		if (known !== undefined) return known;
		const { epoch, viewers, videos, generation } = state;
		const feed: EdgeFeed = {
			domain,
			epoch,
			viewers: inOrder(viewers.flatMap(([viewerRef, order]) => pseudonyms.all(domain, viewerRef, order))),
			videos: inOrder(videos.map(([id, change]) => [edgeDigest(id), versionOf(change)])),
			generation,
		};
		const body = JSON.stringify(feed);
		const made = { body, sha256: hash("sha256", body, "base64url") };
		rendered.set(name, made);
		return made;
	};
	const make = async (domain: string, key: SigningKey): Promise<EdgeAnswer | null> => {
		const at = clock.now();
		const state = await states.read(domain);
		if (state === null) return null;
		const { body, sha256 } = render(domain, state);
		const proof = await new SignJWT({ domain, sha256 })
			.setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid, typ: "JWT" })
			.setAudience("reelmill-edge")
			.setIssuedAt(Math.floor(at / 1000))
			.sign(key.privateKey);
		return { body, etag: `"${sha256}"`, proof };
	};
	return {
		async of(domainId) {
			if (signingKey === null)
				throw new ReelmillError("not_found", {
					message:
						"This installation signs playback keys that only it can verify. An edge needs REELMILL_PLAYBACK_KEY_ALGORITHM to be EdDSA or ES256.",
				});
			const answer = isUuid(domainId) ? await cache.get(domainId, () => make(domainId, signingKey)) : null;
			if (answer === null) throw new ReelmillError("not_found", { message: "There is no such domain." });
			return answer;
		},
	};
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
/** 48 bits of a UUIDv4, all of which are random. */
const versionOf = (change: string): string =>
	Buffer.from(change.replaceAll("-", ""), "hex").toString("base64url", 0, 6);

/** The order of the texts tells nothing of the order of the changes. */
const inOrder = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
	Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
