import * as z from "zod";
import { Reference, Timestamp } from "./common.ts";

/** Whose playback keys are revoked. */
export const RevokePlaybackKeys = z.strictObject({ viewer_ref: Reference });
export type RevokePlaybackKeys = z.infer<typeof RevokePlaybackKeys>;

/** A revocation: the viewer's keys from before `revoked_at` are refused, and those from after it work. */
export const PlaybackRevocation = z.object({ viewer_ref: z.string(), revoked_at: Timestamp });
export type PlaybackRevocation = z.infer<typeof PlaybackRevocation>;

/** The domain's new epoch. Keys of an earlier epoch are refused. */
export const PlaybackEpoch = z.object({ epoch: z.int().min(0) });
export type PlaybackEpoch = z.infer<typeof PlaybackEpoch>;
