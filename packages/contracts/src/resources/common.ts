import * as z from "zod";
import { limits } from "../limits.ts";

/** RFC 3339 UTC with milliseconds, for example `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: "RFC 3339 UTC with milliseconds." });
export const Id = z.uuid().meta({ description: "A lower-case UUID." });
/** Path ids stay plain text in the schema: a malformed one has an error code of its own (`invalid_video_id`). */
export const VideoIdParam = z.string().meta({ description: "The video's id, a UUIDv4 of 36 characters." });
export const Slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/);
export const Reference = z.string().min(1).max(255);
export const ContentType = z.string().min(1).max(100);
export const FileSize = z.int().min(1).max(limits.maxFileBytes);

/** Any JSON value. */
export const Json = z.json();

/** Query fields of a keyset-paginated list. */
export const pageQuery = {
	cursor: z
		.string()
		.min(1)
		.max(limits.cursorLength)
		.optional()
		.meta({ description: "next_cursor of the previous page, verbatim." }),
	limit: z.coerce.number().int().min(1).max(limits.pageSize.max).default(limits.pageSize.default),
};
export const page = <T extends z.ZodType>(item: T) =>
	z.object({ data: z.array(item), next_cursor: z.string().nullable() });

/** UUIDv4 in the 36-character lower-case form that the service mints. */
export const isUuidV4 = (text: string): boolean =>
	/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);
