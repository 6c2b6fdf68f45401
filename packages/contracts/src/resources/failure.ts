import * as z from "zod";
import { Id, page, Timestamp } from "./common.ts";
import { FailureReason } from "./video.ts";

const day = z.iso.date().meta({ description: "A UTC day." });
/** How often videos and outros failed, by reason, on each day of a period. */
export const Failures = z.object({
	from: day,
	to: day,
	data: z
		.array(
			z.object({
				date: day,
				reason: FailureReason.meta({ description: "Why they failed." }),
				count: z.int().min(1).meta({ description: "How many failed." }),
			}),
		)
		.meta({ description: "Newest day first; a day without a failure of a reason has no entry for it." }),
});
export type Failures = z.infer<typeof Failures>;

/** One failure of a video or an outro. A video that was deleted since is among them. */
export const FailedVideo = z.object({
	video_id: Id.meta({ description: "The video's id, or the outro asset's." }),
	external_ref: z.string().nullable().meta({
		description: "The video's name or reference; null if it has none, or once the video is deleted.",
	}),
	kind: z.enum(["video", "outro"]).meta({ description: "Whether it was a video or an outro." }),
	domain_id: Id,
	domain_slug: z.string().nullable().meta({ description: "Null once the domain is deleted." }),
	reason: FailureReason.meta({ description: "Why it failed." }),
	message: z.string().nullable().meta({
		description:
			"What the worker said last, or why there was no further attempt; null if nobody said anything, or once the video is deleted.",
	}),
	worker: z.string().nullable().meta({ description: "Who had the job last." }),
	failed_at: Timestamp.meta({ description: "When it failed." }),
	is_deleted: z.boolean().meta({ description: "Whether it was deleted since." }),
});
export type FailedVideo = z.infer<typeof FailedVideo>;

/** One page of failures, newest first. */
export const FailedVideoPage = page(FailedVideo);
export type FailedVideoPage = z.infer<typeof FailedVideoPage>;
