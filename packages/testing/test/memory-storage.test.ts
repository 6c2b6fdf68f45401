import { conforms, objectStorageCases, uploadStoreCases } from "@reelmill/conformance";
import { describe, it } from "vitest";
import { createMemoryObjectStorage } from "../src/storage/memory-object-storage.ts";
import { createMemoryUploadStore } from "../src/storage/memory-upload-store.ts";

async function openOutputs() {
	const storage = createMemoryObjectStorage();
	return { subject: { storage, elsewhere: storage }, close: async () => undefined };
}

async function openUploads() {
	const store = createMemoryUploadStore();
	return { subject: { store, elsewhere: store }, close: async () => undefined };
}

conforms("outputs in memory", objectStorageCases, openOutputs, { describe, it });
conforms("uploads in memory", uploadStoreCases, openUploads, { describe, it });
