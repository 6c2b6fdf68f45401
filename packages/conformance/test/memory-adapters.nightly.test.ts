import {
	conforms,
	objectStorageCases,
	uploadStoreCases,
	writeOnlyObjectStorageCases,
	writeOnlyUploadStoreCases,
} from "@reelmill/conformance";
import { describe, it } from "vitest";
import { createMemoryUploadStore, type Disk, failing, type Uploads } from "./memory-upload-store.ts";
import { createMemoryObjectStorage, type Objects } from "./support/memory-object-storage.ts";
import { openPresigningMemory } from "./support/presigning-memory.ts";
import { openWriteOnlyStorage, openWriteOnlyStore } from "./support/write-only-memory.ts";

async function openStorage() {
	const objects: Objects = new Map();
	return {
		subject: { storage: createMemoryObjectStorage(objects), elsewhere: createMemoryObjectStorage(objects) },
		close: async () => {},
	};
}
async function openStore() {
	const [uploads, disk]: [Uploads, Disk] = [new Map(), { fails: false }];
	const make = () => createMemoryUploadStore(uploads, disk);
	return { subject: { store: make(), elsewhere: make(), whileFailing: failing(disk) }, close: async () => {} };
}

conforms("object storage in memory", objectStorageCases, openStorage, { describe, it }, ["copy"]);
conforms(
	"object storage in memory with presigned URLs",
	objectStorageCases,
	() => openPresigningMemory(),
	{ describe, it },
	["presign"],
);
conforms("upload store in memory", uploadStoreCases, openStore, { describe, it }, ["failing"]);
conforms("object storage in memory that gives no bytes", writeOnlyObjectStorageCases, () => openWriteOnlyStorage(), {
	describe,
	it,
});
conforms("upload store in memory that gives no bytes", writeOnlyUploadStoreCases, () => openWriteOnlyStore(), {
	describe,
	it,
});
