import { contentTypeOf } from "@reelmill/engine/ports";

/**
 * Returns the headers that readers of the bucket itself get with an output. They are those of the delivery plane for a
 * public video: the bytes under a key never change.
 */
export const headersOf = (key: string) =>
	({ ContentType: contentTypeOf(key) ?? "application/octet-stream", CacheControl: "public, max-age=86400" }) as const;
