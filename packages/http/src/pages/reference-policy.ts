/**
 * The Content-Security-Policy of the API reference. It runs no script but its own, and asks no other host than this
 * server: for the documents, and for what a reader tries.
 *
 * - Scalar, which draws it, makes style elements: its theme, and its editor's. No other page allows inline styles.
 * - Pictures and films that a reader fetched are shown from memory (`blob:`).
 */
export const referencePolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' blob: data:",
	"media-src blob:",
	"connect-src 'self'",
	"frame-ancestors 'none'",
	"base-uri 'none'",
	"form-action 'none'",
].join("; ");
