import { StorageError, type UploadStore } from "@reelmill/engine/ports";
import type { BucketClient } from "./client.ts";

export function createS3UploadStore(client: BucketClient): UploadStore {
	throw new StorageError("failed", `Uploads into ${client.bucket.bucket} come with the next change`);
}
