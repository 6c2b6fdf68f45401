import * as z from "zod";
import { limits } from "../limits.ts";

/** A time as RFC 3339 UTC with milliseconds, for example `2026-01-31T12:00:00.000Z`. */
export const Timestamp = z.iso.datetime({ precision: 3 }).meta({ description: "RFC 3339 UTC with milliseconds." });
/** What the documents say of an id's form. In a path the schema leaves it to the error codes. */
export const idForm = { minLength: 36, maxLength: 36, pattern: "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$" };
/** The id of a video, a delivery or any other thing that has one: a UUID. It is taken in any case (RFC 9562). */
export const Id = z
	.uuid()
	.toLowerCase()
	.meta({ description: "A UUID; answers have it in lower case.", ...idForm });
/** Matches the id of a request, as `x-request-id` has it. */
export const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/;
/** The id of a request, by which logs find what belongs to it. */
export const RequestId = z.string().regex(requestIdPattern);
/**
 * A text that may be an id, for a place where what is none has an answer of its own: it is unknown, or its error code
 * says so.
 */
export const IdText = z.string().overwrite(canonicalId);
/** A video's id in a path. The schema takes any text, because a malformed id has its own error code. */
export const VideoIdParam = IdText.meta({
	description: "The video's id, a UUIDv4 of 36 characters in any case.",
	examples: ["5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10"],
	...idForm,
});
/** A short name in an address: small letters, digits and hyphens. */
export const Slug = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,63}$/);
/** A text by which a tenant knows a thing in its own database. */
export const Reference = z.string().min(1).max(255);
/** A media type, such as `video/mp4`. */
export const ContentType = z.string().min(1).max(100);
/** The size of a file in bytes. */
export const FileSize = z.int().min(1).max(limits.maxFileBytes);

/** Reads decimal digits alone as a number: `1e1`, `0x10`, `+5` and ` 5` are none in a query. */
function decimal(text: unknown): unknown {
	return typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text;
}

/** The query fields of a list that comes in pages. */
export const pageQuery = {
	cursor: z
		.string()
		.min(1)
		.max(limits.cursorLength)
		.optional()
		.meta({
			description: "`next_cursor` of the page before, as it was; left out for the first page.",
			examples: ["eyJhdCI6IjIwMjYtMDEtMzEifQ"],
		}),
	limit: z
		.preprocess(decimal, z.int().min(1).max(limits.pageSize.max))
		.default(limits.pageSize.default)
		.meta({ description: "How many items a page has at most.", examples: [50] }),
};

/**
 * Makes the schema of a page of items.
 * @example
 * ```ts
 * import { page } from "@reelmill/contracts";
 * import * as z from "zod";
 *
 * const Names = page(z.string());
 * console.log(Names.parse({ data: ["acme"], next_cursor: null }).data); // => [ 'acme' ]
 * ```
 */
export const page = <T extends z.ZodType>(item: T) =>
	z.object({
		data: z.array(item).meta({ description: "The items of this page, in the list's order." }),
		next_cursor: z.string().nullable().meta({ description: "`cursor` of the next page; null on the last one." }),
	});

/**
 * Tells whether a text is a UUIDv4 in the form of the service's ids: 36 characters in lower case.
 * @example
 * ```ts
 * import { isUuidV4 } from "@reelmill/contracts";
 *
 * console.log(isUuidV4("0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11"), isUuidV4("lesson-1")); // => true false
 * ```
 */
export const isUuidV4 = (text: string): boolean =>
	/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text);

/**
 * Returns an id as answers have it: in lower case. A text that is no UUID is returned as it is.
 * @example
 * ```ts
 * import { canonicalId } from "@reelmill/contracts";
 *
 * console.log(canonicalId("0C7C6F0E-0B68-4B43-8A43-6B5B8F1B1A11")); // => 0c7c6f0e-0b68-4b43-8a43-6b5b8f1b1a11
 * console.log(canonicalId("Lesson-1")); // => Lesson-1
 * ```
 */
export function canonicalId(text: string): string {
	return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text.toLowerCase() : text;
}
