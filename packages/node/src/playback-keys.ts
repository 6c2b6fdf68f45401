import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { PlaybackEpoch, PlaybackKey, PlaybackRevocation } from "@reelmill/contracts";

export type PlaybackKeys = {
	/**
	 * Mints a key with which one viewer plays private videos; hand it to that viewer's browser. `ttl_seconds` is 3600
	 * unless told.
	 */
	create(input: CallInput<"createPlaybackKey">["body"], options?: CallOptions): Promise<PlaybackKey>;
	/**
	 * Ends every key of a viewer that was minted before, within 5 s; one minted right after works. Doing it twice does no
	 * harm. `playback_revocation_limit` where the domain holds 1000 revocations of the last 24 h: `revokeAll` then.
	 */
	revoke(viewerRef: string, options?: CallOptions): Promise<PlaybackRevocation>;
	/** Ends every key of the domain that was minted before, within 5 s, by raising the domain's epoch. */
	revokeAll(options?: CallOptions): Promise<PlaybackEpoch>;
};

export const createPlaybackKeys = (client: Client): PlaybackKeys => ({
	create: (body, options) => client.call("createPlaybackKey", { body }, options),
	revoke: (viewer_ref, options) => client.call("revokePlaybackKeys", { body: { viewer_ref } }, options),
	revokeAll: (options) => client.call("revokeAllPlaybackKeys", {}, options),
});
