import {
	type CreatePlaybackKey,
	type PlaybackEpoch,
	type PlaybackKey,
	type PlaybackKeySet,
	type PlaybackRevocation,
	ReelmillError,
} from "@reelmill/contracts";
import sql from "sql-template-tag";
import { type Actor, auditPart, engineActor } from "../audit/index.ts";
import type { Chores } from "../background/index.ts";
import type { TenantPrincipal } from "../keys/index.ts";
import { bearer, type KeyRing, likelyCredential, type SigningKeys, type TokenFamily } from "../secrets/index.ts";
import type { Parts } from "../system/index.ts";
import { createEdgeFeeds, type EdgeAnswer } from "./edge-feed.ts";
import { createEdgeStates } from "./edge-state.ts";
import { createMintOrder } from "./mint-order.ts";
import { createPseudonyms } from "./pseudonyms.ts";
import { createRevocations } from "./revocations.ts";

/**
 * What a playback key says; its holder can read it. `order` is the position of its minting among all mintings and
 * revocations, sealed by `MintOrder`; it is finer than any clock. `session` is the sandbox session that minted it.
 * `viewer` is the pseudonym that stands for `sub` in the feed of an edge, in keys that an edge can verify.
 */
export type PlaybackClaims = {
	readonly sub: string;
	readonly domain: string;
	readonly epoch: number;
	readonly order: string | number;
	readonly viewer?: string;
	readonly session?: string;
	readonly videos?: readonly string[];
};

/**
 * A video that a key is checked for, with what its domain revoked. `epoch` and `revokedOrder` may be as old as the
 * caller's promise about staleness allows.
 */
export type PlaybackTarget = {
	readonly id: string;
	readonly domainId: string;
	/** The sandbox session that made the video, or null. */
	readonly sessionId: string | null;
	readonly epoch: number;
	/** The order of the domain's newest revocation; 0 if there is none. */
	readonly revokedOrder: number;
};

/** Playback keys: minted and revoked. */
export type Playback = {
	/**
	 * Creates a key for one viewer. It opens the videos of `video_ids` (default: all of the domain). The key of a sandbox
	 * session opens only the session's videos.
	 *
	 * @throws {ReelmillError} `domain_not_found`.
	 */
	createKey(principal: TenantPrincipal, input: CreatePlaybackKey): Promise<PlaybackKey>;
	/**
	 * Revokes every key of this viewer that was created before. All servers refuse them within 2 s. Keys that are created
	 * afterwards work, however soon.
	 *
	 * @throws {ReelmillError} `playback_revocation_limit`; `domain_not_found`.
	 */
	revoke(principal: TenantPrincipal, input: { viewer_ref: string }, by?: Actor): Promise<PlaybackRevocation>;
	/**
	 * Revokes every key of the domain that was created before, and returns the new epoch. All servers refuse them within
	 * 2 s. Two calls at once raise the epoch by two. The revocations of single viewers go, and make room for others.
	 *
	 * @throws {ReelmillError} `domain_not_found`.
	 */
	revokeAll(principal: TenantPrincipal, by?: Actor): Promise<PlaybackEpoch>;
	/** Returns the public keys by which playback keys can be verified. */
	keySet(): PlaybackKeySet;
	/**
	 * Returns what an edge that verifies keys by itself must know of this domain, as it was at most 1 s ago. Many who ask
	 * at once cost one statement.
	 *
	 * @throws {ReelmillError} `not_found` when there is no such domain, or when the keys' algorithm is HS256.
	 */
	edgeFeed(domainId: string): Promise<EdgeAnswer>;
};

/** Playback, with what the engine's other nouns and its background need of it. */
export type PlaybackNoun = Playback & {
	/**
	 * Returns whether the key in this header opens this video now, at once if that is known. It never tells why not.
	 */
	opens(authorization: string, video: PlaybackTarget): boolean | Promise<boolean>;
	readonly chores: Chores;
};

export function createPlayback(
	parts: Parts,
	{
		tokens,
		mintOrderKeys,
		pseudonymKeys,
		signingKeys,
	}: {
		tokens: TokenFamily<PlaybackClaims>;
		/** The keys that hide the order of mintings from viewers. */
		mintOrderKeys: KeyRing;
		/** The keys that hide the names of viewers from whoever reads the feed of an edge. */
		pseudonymKeys: KeyRing;
		signingKeys: SigningKeys;
	},
): PlaybackNoun {
	const { database } = parts;
	const revocations = createRevocations(parts);
	const mintOrder = createMintOrder(mintOrderKeys);
	const pseudonyms = createPseudonyms(pseudonymKeys);
	const edgeStates = createEdgeStates(parts);
	const edgeFeeds = createEdgeFeeds(parts, { states: edgeStates, signingKey: signingKeys.current, pseudonyms });

	/**
	 * What is known of the domain may be older than the key. A key of a later epoch than the known one is therefore good.
	 */
	const belongs = (claims: PlaybackClaims, video: PlaybackTarget): boolean =>
		claims.domain === video.domainId &&
		claims.epoch >= video.epoch &&
		(claims.session ?? null) === video.sessionId &&
		(claims.videos?.includes(video.id) ?? true);

	const opensWith = (claims: PlaybackClaims | null, video: PlaybackTarget): boolean | Promise<boolean> => {
		if (claims === null || !belongs(claims, video)) return false;
		if (video.revokedOrder === 0) return true;
		const order = mintOrder.open(claims.order);
		if (order > video.revokedOrder) return true;
		return revocations
			.of(video.domainId, claims.sub)
			.then((revoked) => order > revoked.order && claims.epoch >= revoked.epoch);
	};

	return {
		async createKey({ domainId, sessionId }, { viewer_ref, ttl_seconds, video_ids }) {
			const [domain] = await database.query<{ playback_epoch: number; mint_order: number }>(sql`
				select playback_epoch, nextval('reelmill.playback_mint_order') as mint_order from reelmill.domains where id = ${domainId} and deleted_at is null`);
			if (domain === undefined) throw new ReelmillError("domain_not_found");
			const claims: PlaybackClaims = {
				sub: viewer_ref,
				domain: domainId,
				epoch: domain.playback_epoch,
				order: mintOrder.seal(domain.mint_order),
				...(signingKeys.current !== null && { viewer: pseudonyms.of(domainId, viewer_ref) }),
				...(sessionId !== null && { session: sessionId }),
				...(video_ids && { videos: video_ids }),
			};
			const { token, expiresAt } = await tokens.sign(claims, ttl_seconds);
			return {
				playback_key: token,
				token_type: "Bearer",
				viewer_ref,
				video_ids: video_ids ?? null,
				expires_at: expiresAt.toISOString(),
			};
		},
		async revoke({ domainId }, { viewer_ref }, by = engineActor) {
			return { viewer_ref, revoked_at: (await revocations.revoke(domainId, viewer_ref, by)).toISOString() };
		},
		async revokeAll({ domainId }, by = engineActor) {
			const resource = { kind: "domain", id: domainId, label: sql`(select slug from raised)` } as const;
			const entry = { action: "playback_keys.all_revoked", resource, domainId } as const;
			const [domain] = await database.query<PlaybackEpoch>(sql`
				with raised as (
					update reelmill.domains set playback_epoch = playback_epoch + 1 where id = ${domainId} and deleted_at is null returning playback_epoch as epoch, slug),
				outdated as (delete from reelmill.playback_revocations where domain_id in (select ${domainId}::uuid from raised) returning viewer_ref),
				${auditPart(parts, by, entry, sql`raised`)}
				select epoch from raised`);
			if (domain === undefined) throw new ReelmillError("domain_not_found");
			return domain;
		},
		keySet: () => signingKeys.keySet,
		edgeFeed: edgeFeeds.of,
		opens(authorization, video) {
			const recalled = tokens.recall(likelyCredential(authorization));
			if (recalled !== null) return opensWith(recalled, video);
			const token = bearer(authorization);
			return token !== null && tokens.verify(token).then((claims) => opensWith(claims, video));
		},
		chores: { reapRevocations: revocations.reap, reapEdgeChanges: edgeStates.reap },
	};
}
