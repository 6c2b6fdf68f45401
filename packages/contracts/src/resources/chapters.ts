import * as z from "zod";
import { canBeSeen } from "./can-be-seen.ts";

/** A chapter of a video. It lasts until the next one, or until the video ends. */
export const Chapter = z.strictObject({
	start_seconds: z
		.number()
		.min(0)
		.meta({ description: "Where it begins, in seconds; kept to a thousandth.", examples: [12.5] }),
	title: z
		.string()
		.min(1)
		.max(200)
		.refine((title) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title), "may not have control characters")
		.refine(canBeSeen, "has no character that can be seen")
		.meta({ description: "What viewers see, 1 to 200 characters in one line.", examples: ["The mill turns"] }),
});
export type Chapter = z.infer<typeof Chapter>;

/** What a tenant says of a video's chapters. */
export const PutChapters = z.strictObject({
	chapters: z.array(Chapter).min(1).max(200).meta({
		description: "1 to 200, each beginning after the one before, all within the video.",
	}),
});
export type PutChapters = z.infer<typeof PutChapters>;

/** The chapters of a video, in order. */
export const Chapters = z.object({
	chapters: z
		.array(
			z.object({
				start_seconds: z.number().meta({ description: "Where it begins, in seconds." }),
				title: z.string().meta({ description: "What viewers see." }),
			}),
		)
		.meta({ description: "Empty if there are none." }),
	url: z.url().nullable().meta({ description: "The WebVTT file on the delivery plane; null if there are none." }),
});
export type Chapters = z.infer<typeof Chapters>;
