/**
 * Returns the type and subtype of a Content-Type header in lower case, because media types ignore case (RFC 9110,
 * section 8.3.1). Returns undefined if there is no header.
 */
export const mediaTypeOf = (contentType: string | null | undefined): string | undefined =>
	contentType?.split(";", 1)[0]?.trim().toLowerCase();
