import * as z from "zod";
import { Id, page, Reference, Slug, Timestamp } from "./common.ts";
import { Visibility } from "./domain.ts";
import { UpdateMetadata } from "./metadata.ts";
import { Video } from "./video.ts";

/** A moment of a video. No video lasts longer than this. */
const Moment = z.number().min(0).max(1_000_000);
const stretch = {
	start_seconds: Moment.meta({
		description: "Where the clip begins, in seconds of the video: the frame that is nearest is its first.",
	}),
	end_seconds: Moment.meta({
		description: "Where it ends: the frame that is nearest is the first one after it.",
	}),
};

/** Which stretch of a finished video is to be a video of its own, and what is said of that. */
export const CreateClip = z.strictObject({
	...stretch,
	title: UpdateMetadata.shape.title.optional().meta({
		description: "What people call the clip; null for none (default: the title of the video that it is cut of).",
	}),
	external_ref: Reference.optional().meta({
		description: "Your own id for the clip, 1 to 255 characters; it need not be unique. Lists find it.",
	}),
	outro_slug: Slug.nullable().optional().meta({ description: "Null opts out of the domain's default outro." }),
	visibility: Visibility.optional().meta({
		description: "Who may play it (default: who may play the video that it is cut of).",
	}),
});
export type CreateClip = z.infer<typeof CreateClip>;

/** A video that is cut of another one, and which stretch of that it is. */
export const Clip = z.object({
	video: Video.meta({ description: "The clip, which is a video like any other." }),
	source_video_id: Id.meta({ description: "The video that it is cut of; it may be deleted by now." }),
	title: z.string().nullable().meta({ description: "What the clip is called now; null if it has no title." }),
	...stretch,
	created_at: Timestamp.meta({ description: "When it was asked for." }),
});
export type Clip = z.infer<typeof Clip>;

/** One page of the clips of a video, newest first. */
export const ClipPage = page(Clip);
