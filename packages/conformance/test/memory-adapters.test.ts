import { conforms, objectStorageCases, uploadStoreCases } from "@reelmill/conformance";
import { describe, it } from "vitest";
import { createMemoryObjectStorage, type Objects } from "./memory-object-storage.ts";
import { createMemoryUploadStore, type Uploads } from "./memory-upload-store.ts";
import { openPresigningMemory } from "./presigning-memory.ts";

async function openStorage() {
	const objects: Objects = new Map();
	return { subject: { storage: createMemoryObjectStorage(objects), elsewhere: createMemoryObjectStorage(objects) }, close: async () => {} };
}
async function openStore() {
	const uploads: Uploads = new Map();
	return { subject: { store: createMemoryUploadStore(uploads), elsewhere: createMemoryUploadStore(uploads) }, close: async () => {} };
}

conforms("object storage in memory", objectStorageCases, openStorage, { describe, it });
conforms("object storage in memory with presigned URLs", objectStorageCases, () => openPresigningMemory(), { describe, it }, ["presign"]);
conforms("upload store in memory", uploadStoreCases, openStore, { describe, it });
