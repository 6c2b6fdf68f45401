import type { CallInput, CallOptions, Client } from "@reelmill/client";
import type { PlaybackEpoch, PlaybackKey, PlaybackRevocation } from "@reelmill/contracts";

/** Playback keys: minted and revoked. */
export type PlaybackKeys = {
	/**
	 * Creates a key with which one viewer plays private videos: give it to that viewer's browser. It is valid for
	 * `ttl_seconds` (default: 3600).
	 */
	create(input: CallInput<"createPlaybackKey">["body"], options?: CallOptions): Promise<PlaybackKey>;
	/**
	 * Ends within 5 s every key of a viewer that exists now. A key that is created afterwards works. Calling it twice
	 * does no harm.
	 * @throws {ReelmillError} `playback_revocation_limit` when the domain has 1000 revocations of the last 24 hours: call
	 * `revokeAll` instead
	 */
	revoke(viewerRef: string, options?: CallOptions): Promise<PlaybackRevocation>;
	/** Ends within 5 s every key of the domain that exists now, by raising the domain's epoch. */
	revokeAll(options?: CallOptions): Promise<PlaybackEpoch>;
};

export const createPlaybackKeys = (client: Client): PlaybackKeys => ({
	create: (body, options) => client.call("createPlaybackKey", { body }, options),
	revoke: (viewer_ref, options) => client.call("revokePlaybackKeys", { body: { viewer_ref } }, options),
	revokeAll: (options) => client.call("revokeAllPlaybackKeys", {}, options),
});
