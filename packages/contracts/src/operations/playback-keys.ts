import { defineOperation } from "../operation.ts";
import { CreatePlaybackKey, PlaybackKey } from "../resources/playback-key.ts";
import { PlaybackEpoch, PlaybackRevocation, RevokePlaybackKeys } from "../resources/revocation.ts";

export const createPlaybackKey = defineOperation({
	method: "POST",
	path: "/v1/playback-keys",
	plane: "tenant",
	tag: "Playback keys",
	summary: "Mint a playback key for one viewer",
	description:
		"The key goes to the viewer's browser and is sent as `Authorization: Bearer` with every delivery request. `video_ids` narrows it to those videos.",
	auth: "tenant",
	sandbox: "allowed",
	unaudited: "a key for one viewer, which ends by itself",
	body: CreatePlaybackKey,
	success: { status: 201, body: PlaybackKey },
	errors: [],
});

export const revokePlaybackKeys = defineOperation({
	method: "POST",
	path: "/v1/playback-keys/revoke",
	plane: "tenant",
	tag: "Playback keys",
	summary: "Revoke every outstanding key of a viewer",
	description:
		"In force within 5 s. Keys minted afterwards are not affected, however close. A domain holds at most 1000 revocations; each is reaped after 24 hours.",
	auth: "tenant",
	sandbox: "refused",
	audit: "playback_keys.revoked",
	body: RevokePlaybackKeys,
	success: { status: 200, body: PlaybackRevocation },
	errors: ["playback_revocation_limit"],
});

export const revokeAllPlaybackKeys = defineOperation({
	method: "POST",
	path: "/v1/playback-keys/revoke-all",
	plane: "tenant",
	tag: "Playback keys",
	summary: "Revoke every outstanding key of the domain",
	description:
		"Bumps the domain's epoch; in force within 5 s. The revocations of single viewers, which it takes the place of, are deleted.",
	auth: "tenant",
	sandbox: "refused",
	audit: "playback_keys.all_revoked",
	success: { status: 200, body: PlaybackEpoch },
	errors: [],
});
