import type { Header, Reference } from "./document.ts";

/** An example of each header of an answer. */
const examples: Readonly<Record<string, string>> = {
	"x-request-id": "7d1f0e7c-1b0a-4f57-9a64-9f2a1c1c0f10",
	"Retry-After": "12",
	"Accept-Ranges": "bytes",
	"Cache-Control": "public, max-age=300",
	"Content-Encoding": "br",
	ETag: '"u5Yk0Wq1rJ3bXn8TzQe4dA"',
	Location: "https://video.acme.test/uploads/5f0f8a7e-9d0e-4c4f-8f0a-6a1d3c2b1e10",
	"Set-Cookie": "__Host-reelmill_session=c2Vzc2lvbg; Path=/; HttpOnly; Secure; SameSite=Lax",
	"Upload-Offset": "1048576",
	"Upload-Length": "12345678",
	"Upload-Expires": "Sat, 31 Jan 2026 13:00:00 GMT",
	"Upload-Complete": "?1",
	"Upload-End": "finished",
};

export const header = (name: string, description: string): Header => ({
	description,
	schema: { type: "string" },
	...(examples[name] !== undefined && { example: examples[name] }),
});

/** The headers that many answers share, by their names in the document. */
export const sharedHeaders = {
	RequestId: header(
		"x-request-id",
		"Names this request in the server's logs: the request's own x-request-id if that is well formed, else a new one.",
	),
	RetryAfter: header(
		"Retry-After",
		"Seconds to wait, rounded up. Absent where no retry can succeed, or time alone does not decide it.",
	),
};

export const sharedHeader = (name: keyof typeof sharedHeaders): Reference => ({
	$ref: `#/components/headers/${name}`,
});
