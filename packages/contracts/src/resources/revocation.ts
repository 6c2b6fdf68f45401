import * as z from "zod";
import { Reference, Timestamp } from "./common.ts";

/** Whose playback keys are revoked. */
export const RevokePlaybackKeys = z.strictObject({
	viewer_ref: Reference.meta({ description: "The viewer whose keys are refused from now on." }),
});
export type RevokePlaybackKeys = z.infer<typeof RevokePlaybackKeys>;

/** A revocation: the viewer's keys from before `revoked_at` are refused, and those from after it work. */
export const PlaybackRevocation = z.object({
	viewer_ref: z.string().meta({ description: "The viewer whose keys are refused." }),
	revoked_at: Timestamp.meta({ description: "Keys from before this time are refused." }),
});
export type PlaybackRevocation = z.infer<typeof PlaybackRevocation>;

/** The domain's new epoch. Keys of an earlier epoch are refused. */
export const PlaybackEpoch = z.object({
	epoch: z.int().min(0).meta({ description: "The domain's epoch from now on: it rises by 1 each time." }),
});
export type PlaybackEpoch = z.infer<typeof PlaybackEpoch>;
