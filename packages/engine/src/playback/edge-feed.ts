import { hash } from "node:crypto";
import { type EdgeFeed, limits, ReelmillError } from "@reelmill/contracts";
import { SignJWT } from "jose";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { SigningKeys } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
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

type Row = { readonly epoch: number; readonly viewers: readonly (readonly [viewerRef: string, order: number])[] };

const stalenessMilliseconds = 1000;
const rememberedKibibytes = 16 * 1024;

export function createEdgeFeeds(
	{ database, clock }: Parts,
	{ signingKeys, pseudonyms }: { signingKeys: SigningKeys; pseudonyms: Pseudonyms },
): EdgeFeeds {
	const { current } = signingKeys;
	const cache = createBriefCache<EdgeAnswer | null>({
		clock,
		max: rememberedKibibytes,
		milliseconds: stalenessMilliseconds,
		roomOf: (answer) => Math.ceil(((answer?.body.length ?? 0) + 1) / 1024),
	});
	const prove = (
		domain: string,
		sha256: string,
		at: number,
		{ algorithm, privateKey, jwk }: NonNullable<typeof current>,
	) =>
		new SignJWT({ domain, sha256 })
			.setProtectedHeader({ alg: algorithm, kid: jwk.kid, typ: "JWT" })
			.setAudience("reelmill-edge")
			.setIssuedAt(Math.floor(at / 1000))
			.sign(privateKey);
	const read = async (domainId: string, key: NonNullable<typeof current>): Promise<EdgeAnswer | null> => {
		const at = clock.now();
		const since = new Date(at - limits.playbackKeySeconds.max * 1000);
		const [row] = await database.query<Row>(sql`
			select d.playback_epoch as epoch, (
				select coalesce(jsonb_agg(jsonb_build_array(r.viewer_ref, r.revoked_order)), '[]') from reelmill.playback_revocations r
				where r.domain_id = d.id and r.revoked_at > ${since}) as viewers
			from reelmill.domains d where d.id = ${domainId} and d.deleted_at is null`);
		if (row === undefined) return null;
		const feed: EdgeFeed = {
			domain: domainId,
			epoch: row.epoch,
			viewers: inOrder(row.viewers.flatMap(([viewerRef, order]) => pseudonyms.all(domainId, viewerRef, order))),
			videos: {},
			generation: "0",
		};
		const body = JSON.stringify(feed);
		const sha256 = hash("sha256", body, "base64url");
		return { body, etag: `"${sha256}"`, proof: await prove(domainId, sha256, at, key) };
	};
	return {
		async of(domainId) {
			if (current === null)
				throw new ReelmillError("not_found", {
					message:
						"This installation signs playback keys that only it can verify. An edge needs REELMILL_PLAYBACK_KEY_ALGORITHM to be EdDSA or ES256.",
				});
			const answer = isUuid(domainId) ? await cache.get(domainId, () => read(domainId, current)) : null;
			if (answer === null) throw new ReelmillError("not_found", { message: "There is no such domain." });
			return answer;
		},
	};
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** The order of the texts tells nothing of the order of the changes. */
const inOrder = (entries: readonly (readonly [string, string])[]): Record<string, string> =>
	Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
