import * as z from "zod";
import { limits } from "../limits.ts";
import { Reference, Timestamp } from "./common.ts";

/** Whom a playback key is for, which videos it opens, and for how many seconds. */
export const CreatePlaybackKey = z.strictObject({
	viewer_ref: Reference,
	ttl_seconds: z
		.int()
		.min(limits.playbackKeySeconds.min)
		.max(limits.playbackKeySeconds.max)
		.default(limits.playbackKeySeconds.default),
	video_ids: z
		.array(z.string().max(36))
		.min(1)
		.max(limits.videoIdsPerPlaybackKey)
		.refine((ids) => new Set(ids).size === ids.length, "must not repeat an item")
		.optional()
		.meta({ uniqueItems: true, description: "Narrows the key to these videos." }),
});
export type CreatePlaybackKey = z.output<typeof CreatePlaybackKey>;

/** A playback key, and until when it opens its videos. */
export const PlaybackKey = z.object({
	playback_key: z.string(),
	token_type: z.literal("Bearer"),
	viewer_ref: z.string(),
	video_ids: z.array(z.string()).nullable(),
	expires_at: Timestamp,
});
export type PlaybackKey = z.infer<typeof PlaybackKey>;
