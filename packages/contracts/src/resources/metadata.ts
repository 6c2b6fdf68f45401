import * as z from "zod";
import { canBeSeen } from "./can-be-seen.ts";
import { Id } from "./common.ts";

/** How much of a video a tenant can name. Lengths are in characters. */
export const metadataLimits = { title: 200, keys: 20, key: 40, value: 500 } as const;

/** A text of one line. Where it is shown, it steers no terminal and breaks no list. */
const line = (min: number, max: number) =>
	z
		.string()
		.min(min)
		.max(max)
		.refine((text) => !/\p{Cc}/u.test(text), "holds a control character");

/** The name of a value that a tenant gives a video. */
export const MetadataKey = line(1, metadataLimits.key);
/** A value that a tenant gives a video. */
export const MetadataValue = line(0, metadataLimits.value);

/** What people call a video. */
export const Title = line(1, metadataLimits.title).refine(canBeSeen, "has no character that can be seen");

/** The title of a video and its values, as a whole: what is left out of `values` is removed. */
export const UpdateMetadata = z.strictObject({
	title: Title.nullable().meta({
		description: "What people call the video, in one line without control characters; null for none.",
	}),
	values: z
		.record(MetadataKey, MetadataValue)
		.refine((values) => Object.keys(values).length <= metadataLimits.keys, `has more than ${metadataLimits.keys} keys`)
		.meta({
			description:
				"Your own texts by key, at most 20: keys of 1 to 40 characters, values of at most 500, without control characters.",
			maxProperties: metadataLimits.keys,
		}),
});
export type UpdateMetadata = z.infer<typeof UpdateMetadata>;

/** What a tenant calls a video, and what it says of it by keys of its own. */
export const VideoMetadata = z.object({
	video_id: Id.meta({ description: "The video's id." }),
	title: z.string().nullable().meta({ description: "What people call the video; null if it has no title." }),
	values: z.record(z.string(), z.string()).meta({ description: "Your own texts by key; empty if there are none." }),
});
export type VideoMetadata = z.infer<typeof VideoMetadata>;
