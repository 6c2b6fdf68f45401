import type { Engine } from "@reelmill/engine";
import type { Handlers } from "../json/mount.ts";

export const playbackHandlers = ({ playback }: Engine): Pick<Handlers, "createPlaybackKey"> => ({
	createPlaybackKey: ({ principal, input }) => playback.createKey(principal, input.body),
});
