import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "createPlaybackKey" | "revokePlaybackKeys" | "revokeAllPlaybackKeys";

export const playbackHandlers = ({ playback }: Engine): Pick<Handlers, Names> => ({
	createPlaybackKey: ({ principal, input }) => playback.createKey(principal, input.body),
	revokePlaybackKeys: ({ principal, input }) => playback.revoke(principal, input.body),
	revokeAllPlaybackKeys: ({ principal }) => playback.revokeAll(principal),
});
