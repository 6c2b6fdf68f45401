import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/operations.ts";

type Names = "createPlaybackKey" | "revokePlaybackKeys" | "revokeAllPlaybackKeys";

export const playbackHandlers = ({ playback }: Engine): Pick<Handlers, Names> => ({
	createPlaybackKey: ({ principal, input }) => playback.createKey(principal, input.body),
	revokePlaybackKeys: ({ principal, input, by }) => playback.revoke(principal, input.body, by),
	revokeAllPlaybackKeys: ({ principal, by }) => playback.revokeAll(principal, by),
});
