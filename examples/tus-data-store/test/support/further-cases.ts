import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import type { Case, UploadStoreSubject } from "@reelmill/conformance";
import type { Bytes } from "@reelmill/engine/ports";
import type { FaultProxy } from "@reelmill/fault-proxy";
import type { TestBucket } from "@reelmill/storage-s3/testing";

export type S3Subject = UploadStoreSubject & { readonly proxy: FaultProxy; readonly bucket: TestBucket };

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function collect(bytes: Bytes): Promise<Buffer> {
	return Buffer.concat(await Array.fromAsync(bytes));
}

/** A promise that the suite tries only at moments at which a DataStore keeps it. */
export const furtherCases: readonly Case<UploadStoreSubject>[] = [
	{
		name: "has what it acknowledged while the next append waits for bytes, as a process that is killed then leaves it",
		async run({ store, elsewhere }) {
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, chunks(randomBytes(5)), { limit: 100 });
			const abort = new AbortController();
			const { promise: waiting, resolve: wait } = Promise.withResolvers<void>();
			async function* source(): AsyncGenerator<Uint8Array> {
				yield randomBytes(5);
				wait();
				await new Promise(() => {});
			}
			const append = store.append(id, 5, source(), { limit: 100, signal: abort.signal });
			await waiting;
			const size = await elsewhere.size(id);
			abort.abort();
			await append;
			assert.ok(size !== null && size >= 5, `it stands at ${size}`);
		},
	},
];

/** Promises about what buckets alone do. */
export const bucketCases: readonly Case<S3Subject>[] = [
	{
		name: "counts no byte behind a part that was refused, and ends with the bytes that were sent",
		async run({ store, elsewhere, proxy }) {
			const id = randomUUID();
			const bytes = randomBytes(32_000_000);
			await store.create(id);
			const part = (number: number) => ({ method: "PUT", query: { partNumber: String(number) } });
			const third = proxy.use({ when: part(3), fault: { kind: "pass" } });
			proxy.use({ when: part(2), until: third.hit(), fault: { kind: "refuse", status: 500 } });
			await assert.rejects(store.append(id, 0, chunks(bytes), { limit: bytes.length }));
			proxy.clear();
			const offset = (await elsewhere.size(id)) ?? 0;
			await elsewhere.append(id, offset, chunks(bytes.subarray(offset)), { limit: bytes.length });
			const found = await store.read(id);
			assert.ok(found && (await collect(found.bytes)).equals(bytes), `other bytes, resumed at ${offset}`);
		},
	},
	{
		name: "doesn't count bytes that a lifecycle rule of the bucket removed",
		async run({ store, elsewhere, bucket }) {
			const id = randomUUID();
			await store.create(id);
			await store.append(id, 0, chunks(randomBytes(6_000_000)), { limit: 12_000_000 });
			await bucket.abortUnfinished();
			assert.ok(((await elsewhere.size(id)) ?? 0) === 0, `it stands at ${await elsewhere.size(id)}`);
		},
	},
];
