import * as z from "zod";

/** Where the pictures of a video stand that its tenant asked for. */
export const PosterState = z.enum(["automatic", "pending", "available", "failed"]);
export type PosterState = z.infer<typeof PosterState>;

/** Why pictures could not be made. */
export const PosterFailure = z.enum(["picture_unreadable", "processing_failed"]);
export type PosterFailure = z.infer<typeof PosterFailure>;

/** Which picture of a video is to stand for it. */
export const PutPoster = z.strictObject({
	at_seconds: z
		.number()
		.min(0)
		.meta({
			description: "The picture that the video shows at this moment, in seconds from its beginning.",
			examples: [12.5],
		}),
	preview: z.boolean().default(false).meta({
		description: "Whether a moving preview of the 3 s from there on is made as well, `preview.webp`.",
	}),
});
export type PutPoster = z.infer<typeof PutPoster>;

/** The picture that stands for a video, and where it comes from. */
export const Poster = z.object({
	state: PosterState.meta({
		description:
			"`automatic`: the one that was chosen when the video was processed; `pending`: yours is being made, and viewers see the one before; `available`: yours; `failed`: yours could not be made, and viewers see the one before.",
	}),
	source: z.enum(["frame", "picture"]).nullable().meta({
		description: "What you asked for last: a frame of the video, or a picture of your own. Null if `automatic`.",
	}),
	at_seconds: z.number().nullable().meta({ description: "Of a frame: its moment, as you asked for it." }),
	failure_reason: PosterFailure.nullable().meta({
		description: "If `failed`: `picture_unreadable`, or `processing_failed`: then ask again.",
	}),
	poster_url: z
		.url()
		.nullable()
		.meta({ description: "What viewers see now, in the video's own shape, as a JPEG; null if there is none." }),
	thumbnail_url: z
		.url()
		.nullable()
		.meta({ description: "The same for link previews, 1200x630, as a JPEG; null if there is none." }),
	preview_url: z
		.url()
		.nullable()
		.meta({ description: "The moving preview as an animated WebP of less than 500 kB; null if there is none." }),
});
export type Poster = z.infer<typeof Poster>;
