import * as z from "zod";
import { importFailures } from "../import-failures.ts";
import { limits } from "../limits.ts";
import { ContentType, FileSize, Id, page, Timestamp } from "./common.ts";
import { Title, UpdateMetadata } from "./metadata.ts";
import { CreateVideo } from "./video.ts";

/** Where an import may stand: the last three end it. */
export const importStatuses = ["waiting", "downloading", "done", "failed", "cancelled"] as const;
/** Where an import stands. */
export const ImportStatus = z.enum(importStatuses);
export type ImportStatus = z.infer<typeof ImportStatus>;

/** A video that the service is to fetch, and what else is said of it before its upload. */
export const CreateImport = z.strictObject({
	url: z.string().min(1).max(limits.imports.urlLength).meta({
		description:
			"Where the file is, by http or https. A user name and a password in it are sent to this origin alone. The whole address is a secret: it is stored sealed, and until the import ends.",
	}),
	...CreateVideo.shape,
	content_type: ContentType.optional().meta({
		description: "The file's media type, `video/*`: counts if neither the origin's answer nor the file says it.",
	}),
	file_size: FileSize.optional().meta({ description: "Bytes: counts if the origin doesn't say them." }),
	title: Title.optional().meta({
		description: "What people call the video, in one line without control characters (default: no title).",
	}),
	values: UpdateMetadata.shape.values.optional(),
});
export type CreateImport = z.infer<typeof CreateImport>;

/** A video that the service fetches from an address. */
export const Import = z.object({
	id: Id.meta({ description: "The import's id." }),
	status: ImportStatus,
	url: z.string().meta({ description: "The address without its query and its user, which may be secrets." }),
	video_id: Id.nullable().meta({
		description: "The video; null until its upload was initiated, when the origin has told what the file is.",
	}),
	external_ref: z.string().nullable().meta({ description: "Your own id for the video; null if you gave none." }),
	title: z.string().nullable().meta({
		description: "What the video is called now, or is to be called; null if it has no title, or is deleted.",
	}),
	bytes_received: z.int().min(0).meta({ description: "How many bytes have come." }),
	file_size: z.int().nullable().meta({ description: "Bytes, as the origin says; null until it was asked." }),
	failure: z
		.object({
			// The set is open, so generated clients get no closed list of it.
			code: z.string().meta({
				description: `${Object.keys(importFailures).join(", ")}, or a code by which an upload is refused, such as upload_quota_exceeded. Later versions may have more.`,
			}),
			message: z.string().meta({ description: "The reason in a sentence, in English." }),
		})
		.nullable()
		.meta({ description: "Why it failed or, while `next_attempt_at` is to come, why it waits; else null." }),
	created_at: Timestamp.meta({ description: "When it was asked for." }),
	updated_at: Timestamp.meta({ description: "When anything of it last changed; every few seconds while bytes come." }),
	next_attempt_at: Timestamp.nullable().meta({
		description: "When it is tried next; null unless it waits. A moment that is past means: as soon as there is room.",
	}),
});
export type Import = z.infer<typeof Import>;

/** One page of imports, newest first. */
export const ImportPage = page(Import);
