import { createHash } from "node:crypto";
import { type Bytes, isStorageError, type StorageError, type UploadStore } from "@reelmill/engine/ports";

export const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

export async function* chunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function sha256Of(bytes: Bytes): Promise<string> {
	const hash = createHash("sha256");
	for await (const chunk of bytes) hash.update(chunk);
	return hash.digest("hex");
}

/**
 * Sends a file as the tus plane does for a client that doesn't give up: it asks for the size, appends the rest, and
 * repeats that after each failure. Returns the failures on the way. Throws for an error that isn't the storage's, for a
 * size below an acknowledged one, and after `tries`.
 */
export async function sendUpload(
	uploads: UploadStore,
	id: string,
	file: Uint8Array,
	tries = 30,
): Promise<readonly StorageError[]> {
	const failures: StorageError[] = [];
	let acknowledged = 0;
	for (let time = 0; time < tries; time++) {
		try {
			const size = await uploads.size(id);
			if (size === null || size < acknowledged)
				throw new Error(`${acknowledged} bytes were acknowledged, the store has ${size}`);
			acknowledged = size;
			if (size === file.length) return failures;
			acknowledged = await uploads.append(id, size, chunks(file.subarray(size)), { limit: file.length });
		} catch (error) {
			if (!isStorageError(error)) throw error;
			failures.push(error);
		}
	}
	throw new AggregateError(failures, `not whole after ${tries} tries`);
}
