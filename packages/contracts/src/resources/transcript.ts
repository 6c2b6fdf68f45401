import * as z from "zod";
import { Id } from "./common.ts";
import { TranscriptStatus } from "./video.ts";

/** A video's transcript: its language and its cues. */
export const Transcript = z.object({
	video_id: Id.meta({ description: "The video's id." }),
	status: TranscriptStatus,
	text: z.string().nullable().meta({ description: "Null whenever there is no transcript; status says why." }),
	language: z.string().nullable().meta({ description: "ISO 639-1, detected; meant for the srclang of a track." }),
	transcript_url: z.url().nullable().meta({ description: "The timed WebVTT file on the delivery plane." }),
});
export type Transcript = z.infer<typeof Transcript>;
