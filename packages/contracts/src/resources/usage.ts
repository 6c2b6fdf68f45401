import * as z from "zod";
import { Timestamp } from "./common.ts";
import { DomainLimits } from "./domain.ts";

/** What the caller may upload, within the bounds of the instance. */
export const LimitsView = z.object({ max_file_bytes: z.int(), max_duration_seconds: z.int() });
export type LimitsView = z.infer<typeof LimitsView>;

export const Usage = z.object({
	date: z.iso.date().meta({ description: "The UTC day that is counted." }),
	uploaded_bytes: z.int().meta({ description: "Bytes of the day's finished uploads." }),
	encoded_seconds: z.number().meta({ description: "Source seconds of videos that became available, once each." }),
	storage_bytes: z.int().meta({ description: "All that is stored now, whatever the day." }),
	limits: DomainLimits,
	remaining: z.object({
		upload_bytes: z.int().meta({
			description:
				"Bytes of pending uploads are taken off at once and come back when an upload expires or is cancelled.",
		}),
		storage_bytes: z.int(),
		processing_slots: z.int(),
	}),
	resets_at: Timestamp.meta({ description: "The next UTC midnight." }),
});
export type Usage = z.infer<typeof Usage>;
