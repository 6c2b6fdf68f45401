import type { ObjectStorage } from "@reelmill/engine/ports";
import type { BucketClient } from "./client.ts";
export function createS3ObjectStorage(_client: BucketClient): ObjectStorage {
	throw new Error("next");
}
