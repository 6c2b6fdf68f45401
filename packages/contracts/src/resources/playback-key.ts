import * as z from "zod";
import { limits } from "../limits.ts";
import { IdText, Reference, Timestamp } from "./common.ts";

/** Whom a playback key is for, which videos it opens, and for how many seconds. */
export const CreatePlaybackKey = z.strictObject({
	viewer_ref: Reference.meta({ description: "Your own name of the viewer, 1 to 255 characters; revoking goes by it." }),
	ttl_seconds: z
		.int()
		.min(limits.playbackKeySeconds.min)
		.max(limits.playbackKeySeconds.max)
		.default(limits.playbackKeySeconds.default)
		.meta({ description: "How long the key is good." }),
	video_ids: z
		.array(IdText.max(36))
		.min(1)
		.max(limits.videoIdsPerPlaybackKey)
		.refine((ids) => new Set(ids).size === ids.length, "must not repeat an item")
		.optional()
		.meta({ uniqueItems: true, description: "Narrows the key to these videos." }),
});
export type CreatePlaybackKey = z.output<typeof CreatePlaybackKey>;

/** A playback key, and until when it opens its videos. */
export const PlaybackKey = z.object({
	playback_key: z.string().meta({ description: "The key: it goes to the viewer's player." }),
	token_type: z.literal("Bearer").meta({ description: "How it is sent: `Authorization: Bearer <playback_key>`." }),
	viewer_ref: z.string().meta({ description: "The viewer that it is for." }),
	video_ids: z
		.array(z.string())
		.nullable()
		.meta({ description: "The only videos that it plays; null for all of the domain." }),
	expires_at: Timestamp.meta({ description: "When it stops working." }),
});
export type PlaybackKey = z.infer<typeof PlaybackKey>;
