import * as z from "zod";
import { Reference, Timestamp } from "./common.ts";

export const RevokePlaybackKeys = z.strictObject({ viewer_ref: Reference });
export type RevokePlaybackKeys = z.infer<typeof RevokePlaybackKeys>;

/** Every key of the viewer minted before `revoked_at` is refused; one minted right after it works. */
export const PlaybackRevocation = z.object({ viewer_ref: z.string(), revoked_at: Timestamp });
export type PlaybackRevocation = z.infer<typeof PlaybackRevocation>;

/** The domain's epoch after the bump: keys of an earlier one are refused. */
export const PlaybackEpoch = z.object({ epoch: z.int().min(0) });
export type PlaybackEpoch = z.infer<typeof PlaybackEpoch>;
