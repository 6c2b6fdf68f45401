import { contentTypeOf } from "@reelmill/engine/ports";

/**
 * What is told of an output to those who read the bucket itself, as the delivery plane tells it of a public video: what
 * a key names never changes.
 */
export const headersOf = (key: string) =>
	({ ContentType: contentTypeOf(key) ?? "application/octet-stream", CacheControl: "public, max-age=86400" }) as const;
