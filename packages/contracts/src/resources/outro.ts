import * as z from "zod";
import { ContentType, FileSize, Id, page, Slug, Timestamp } from "./common.ts";
import { failureReasons, UploadTicket } from "./video.ts";

/** The states of an outro. */
export const outroStates = ["uploading", "encoding", "available", "failed"] as const;
/** Where an outro stands. */
export const OutroState = z.enum(outroStates);
export type OutroState = z.infer<typeof OutroState>;

/** The failures of videos, and those of an outro's upload. */
export const outroFailureReasons = [...failureReasons, "upload_expired", "upload_cancelled"] as const;
/** Why an outro could not be made. */
export const OutroFailureReason = z.enum(outroFailureReasons);
export type OutroFailureReason = z.infer<typeof OutroFailureReason>;

/** A tail card of a domain. */
export const Outro = z.object({
	id: Id.meta({ description: "The id of the asset; a replacement of the slug has a new one." }),
	slug: Slug.meta({ description: "Its name, by which videos choose it." }),
	state: OutroState.meta({ description: "Of the incoming asset while a replacement is under way." }),
	label: z.string().nullable().meta({ description: "A name for people; null if it has none." }),
	serving_outro_id: Id.nullable().meta({
		description: "The asset that new uploads get; equals id once available, null while none is usable.",
	}),
	failure_reason: OutroFailureReason.nullable().meta({
		description: "Why it could not be made; null if it did not fail.",
	}),
	content_type: z.string().meta({ description: "The media type that its upload declared." }),
	file_size: z.int().meta({ description: "Bytes, as declared." }),
	duration_seconds: z
		.number()
		.nullable()
		.meta({ description: "As declared until the source was probed, then as measured." }),
	width: z.int().nullable().meta({ description: "Pixels as displayed; null until probed." }),
	height: z.int().nullable().meta({ description: "Pixels as displayed; null until probed." }),
	created_at: Timestamp,
	updated_at: Timestamp,
});
export type Outro = z.infer<typeof Outro>;

/** What a tenant says of an outro before its upload. */
export const CreateOutro = z.strictObject({
	slug: Slug.meta({
		description: "A slug in use is replaced: the old asset serves new uploads until the new one is available.",
	}),
	content_type: ContentType.meta({ description: "The file's media type, `video/*`, at most 100 characters." }),
	file_size: FileSize.meta({ description: "Bytes; the upload must have exactly as many." }),
	duration_seconds: z.int().min(1).optional().meta({
		description: "The length in whole seconds, if it is known: it is checked now in place of after the upload.",
	}),
	label: z.string().min(1).max(120).optional().meta({ description: "For people; never rendered." }),
});
export type CreateOutro = z.infer<typeof CreateOutro>;

/** A new outro, and the ticket for its upload: shown once. */
export const CreatedOutro = z.object({
	outro: Outro.meta({ description: "The new outro, in the state `uploading`." }),
	upload: UploadTicket.meta({ description: "Where and how to send the bytes." }),
});
export type CreatedOutro = z.infer<typeof CreatedOutro>;

/** Every outro of a domain: `next_cursor` is always null. */
export const OutroList = page(Outro);
