import * as z from "zod";

/** The headers by which a client asks for a part of a file, or only for what changed. */
export const Range = z
	.string()
	.optional()
	.meta({
		description: "One range of bytes (RFC 9110). Several ranges at once are answered by the whole file.",
		examples: ["bytes=0-1048575"],
	});
export const IfNoneMatch = z
	.string()
	.optional()
	.meta({
		description: "The `ETag` of the copy that the client has: if it is still good, the answer is 304.",
		examples: ['"u5Yk0Wq1rJ3bXn8TzQe4dA"'],
	});
export const IfRange = z
	.string()
	.optional()
	.meta({
		description: "The `ETag` of the part that the client has: if the file has changed, the whole file comes.",
		examples: ['"u5Yk0Wq1rJ3bXn8TzQe4dA"'],
	});
export const AcceptEncoding = z
	.string()
	.optional()
	.meta({
		description: "The codings that the client reads: `br` and `gzip` are sent.",
		examples: ["br, gzip"],
	});
