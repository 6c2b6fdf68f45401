/**
 * The type and subtype that a Content-Type header names, in lower case: media types are the same however they are
 * written (RFC 9110, section 8.3.1). Undefined where there is none.
 */
export const mediaTypeOf = (contentType: string | null | undefined): string | undefined =>
	contentType?.split(";", 1)[0]?.trim().toLowerCase();
