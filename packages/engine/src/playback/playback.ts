import { type CreatePlaybackKey, type PlaybackKey, ReelmillError } from "@reelmill/contracts";
import sql from "sql-template-tag";
import type { TenantPrincipal } from "../keys/index.ts";
import type { Database } from "../ports/index.ts";
import { bearer, type TokenFamily } from "../secrets/index.ts";

/** What a playback key says. `order` is the place of its minting among all mintings and revocations, finer than any clock. */
export type PlaybackClaims = {
	readonly sub: string;
	readonly domain: string;
	readonly epoch: number;
	readonly order: number;
	readonly videos?: readonly string[];
};

export type Playback = {
	/** A key for one viewer, narrowed to `video_ids` where given. Throws `domain_not_found`. */
	createKey(principal: TenantPrincipal, input: CreatePlaybackKey): Promise<PlaybackKey>;
	/** Whether this header's key opens this video now. The reason of a no is deliberately not told. */
	opens(authorization: string | null, video: { readonly id: string; readonly domainId: string; readonly epoch: number }): Promise<boolean>;
};

export function createPlayback({ database, tokens }: { database: Database; tokens: TokenFamily<PlaybackClaims> }): Playback {
	return {
		async createKey({ domainId }, { viewer_ref, ttl_seconds, video_ids }) {
			const [domain] = await database.query<{ playback_epoch: number; mint_order: number }>(sql`
				select playback_epoch, nextval('reelmill.playback_mint_order') as mint_order from reelmill.domains where id = ${domainId} and deleted_at is null`);
			if (domain === undefined) throw new ReelmillError("domain_not_found");
			const claims = { sub: viewer_ref, domain: domainId, epoch: domain.playback_epoch, order: domain.mint_order, ...(video_ids && { videos: video_ids }) };
			const { token, expiresAt } = await tokens.sign(claims, ttl_seconds);
			return { playback_key: token, token_type: "Bearer", viewer_ref, video_ids: video_ids ?? null, expires_at: expiresAt.toISOString() };
		},
		async opens(authorization, video) {
			const token = bearer(authorization);
			const claims = token === null ? null : await tokens.verify(token);
			return claims !== null && claims.domain === video.domainId && claims.epoch === video.epoch && (claims.videos?.includes(video.id) ?? true);
		},
	};
}
