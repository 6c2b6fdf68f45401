import * as z from "zod";
import { Timestamp } from "./common.ts";
import { DomainLimits } from "./domain.ts";

/** What the caller may upload, within the bounds of the instance. */
export const LimitsView = z.object({
	max_file_bytes: z.int().meta({ description: "The largest file that may be uploaded, in bytes." }),
	max_duration_seconds: z.int().meta({ description: "The longest video that may be uploaded, in seconds." }),
});
export type LimitsView = z.infer<typeof LimitsView>;

/** The longest span of days that one call reads. */
export const mostUsageDays = 400;
const UsageDay = z.object({
	date: z.iso.date().meta({ description: "The UTC day." }),
	uploads: z.int().meta({ description: "Finished uploads, on the day that they were initiated." }),
	uploaded_bytes: z.int().meta({ description: "Bytes of these uploads." }),
	available: z.int().meta({ description: "Videos that became available." }),
	encoded_seconds: z.number().meta({ description: "Source seconds of these videos." }),
	failures: z.int().meta({ description: "Videos that failed, or were taken by no worker in time." }),
	storage_bytes: z.int().nullable().meta({
		description: "What was stored when the day ended, and of today what is stored now; null before it was noted.",
	}),
});
/** One row for each UTC day, newest first, days without any use included. */
export const UsageDays = z.object({ data: z.array(UsageDay).meta({ description: "The days, newest first." }) });
export type UsageDays = z.infer<typeof UsageDays>;

/** When a domain did for the first time what everybody begins with; null until it happened. */
export const FirstSteps = z.object({
	uploaded_at: Timestamp.nullable().meta({ description: "The first upload that had all its bytes." }),
	played_at: Timestamp.nullable().meta({ description: "The first playlist or media file that was sent to a player." }),
	webhook_set_at: Timestamp.nullable().meta({ description: "Both URL and secret of the webhook were set." }),
	delivered_at: Timestamp.nullable().meta({ description: "The first event that the webhook took." }),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

/** What a domain has used, in counts, bytes and seconds. */
export const Usage = z.object({
	date: z.iso.date().meta({ description: "The UTC day that is counted." }),
	uploaded_bytes: z.int().meta({ description: "Bytes of the day's finished uploads." }),
	encoded_seconds: z.number().meta({ description: "Source seconds of videos that became available, once each." }),
	storage_bytes: z.int().meta({ description: "All that is stored now, whatever the day." }),
	limits: DomainLimits.meta({ description: "What the operator allows." }),
	remaining: z
		.object({
			upload_bytes: z.int().meta({
				description:
					"Bytes of pending uploads are taken off at once and come back when an upload expires or is cancelled.",
			}),
			storage_bytes: z.int().meta({ description: "Bytes that may still be stored." }),
			processing_slots: z.int().meta({ description: "Videos that may still come into the queue now." }),
		})
		.meta({ description: "What is left." }),
	resets_at: Timestamp.meta({ description: "The next UTC midnight." }),
});
export type Usage = z.infer<typeof Usage>;
