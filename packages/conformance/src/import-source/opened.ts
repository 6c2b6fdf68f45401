import assert from "node:assert/strict";
import type { Bytes, ImportRequest, ImportSource, ImportSourceError } from "@reelmill/engine/ports";

/** Asks for a file from its beginning, or as `request` says, with a signal that nobody aborts. */
export const open = (source: ImportSource, url: string, request: Partial<ImportRequest> = {}) =>
	source.open({ url, offset: 0, validator: null, ...request }, new AbortController().signal);

/** Reads all bytes. */
export async function bytesOf(bytes: Bytes): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	for await (const chunk of bytes) chunks.push(chunk);
	return Buffer.concat(chunks);
}

/** Asserts that a promise is rejected with an ImportSourceError of this kind, which tells no more than the host. */
export async function refused(
	promise: Promise<unknown>,
	wanted: Pick<ImportSourceError, "code"> & Partial<Pick<ImportSourceError, "isFinal" | "retryAfterSeconds">>,
	secrets: readonly string[] = [],
): Promise<void> {
	await assert.rejects(promise, (error: ImportSourceError) => {
		assert.equal(error.name, "ImportSourceError", String(error));
		const { code, isFinal, retryAfterSeconds } = error;
		assert.deepEqual({ isFinal, retryAfterSeconds, ...wanted }, { isFinal, retryAfterSeconds, code });
		for (const secret of secrets) assert.ok(!error.message.includes(secret), error.message);
		return true;
	});
}
