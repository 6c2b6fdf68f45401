import type { ObjectStorageSubject, Opened, UploadStoreSubject } from "@reelmill/conformance";
import { createMemoryUploadStore, type Uploads } from "../memory-upload-store.ts";
import { createMemoryObjectStorage, type Objects } from "./memory-object-storage.ts";

const capabilities = { presign: false, download: false };
const refused = async (): Promise<never> => {
	throw new TypeError("this memory gives no bytes");
};

/** `get` is what it returns instead of bytes. */
export async function openWriteOnlyStorage(get: () => Promise<null> = refused): Promise<Opened<ObjectStorageSubject>> {
	const objects: Objects = new Map();
	const make = () => ({ ...createMemoryObjectStorage(objects), capabilities, get });
	return { subject: { storage: make(), elsewhere: make() }, close: async () => {} };
}

/** `read` is what it returns instead of bytes. */
export async function openWriteOnlyStore(read: () => Promise<null> = refused): Promise<Opened<UploadStoreSubject>> {
	const uploads: Uploads = new Map();
	const make = () => ({ ...createMemoryUploadStore(uploads), capabilities, read });
	return { subject: { store: make(), elsewhere: make() }, close: async () => {} };
}
