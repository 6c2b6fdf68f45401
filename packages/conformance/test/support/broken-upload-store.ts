import { StorageError, type UploadStore } from "@reelmill/engine/ports";
import { createMemoryUploadStore, type Disk, type Uploads } from "../memory-upload-store.ts";
import { take } from "./memory-object-storage.ts";

async function* none(): AsyncGenerator<Uint8Array> {}

/** Each adapter breaks one promise of the port, and names the case that must notice. */
export const brokenUploadStores: readonly {
	readonly flaw: string;
	readonly noticedBy: string;
	make(uploads: Uploads, disk: Disk): UploadStore;
}[] = [
	{
		flaw: "acknowledges bytes past a gap",
		noticedBy: "refuses an offset other than the size with a RangeError and writes nothing: no gap, no second writing",
		make: (uploads) => ({
			...createMemoryUploadStore(uploads),
			async append(id, offset, bytes, { signal }) {
				const upload = uploads.get(id);
				if (!upload || offset < 0) throw new RangeError("no such upload");
				const chunks: Uint8Array[] = [];
				await take(bytes, signal, (chunk) => chunks.push(chunk.slice()));
				const gap = Buffer.alloc(Math.max(0, offset - upload.bytes.length));
				upload.bytes = Buffer.concat([upload.bytes.subarray(0, offset), gap, ...chunks]);
				return upload.bytes.length;
			},
		}),
	},
	{
		flaw: "empties an upload that is created again",
		noticedBy: "makes an empty upload, and leaves one that is there as it is",
		make: (uploads) => ({
			...createMemoryUploadStore(uploads),
			create: async (id) => void uploads.set(id, { bytes: Buffer.alloc(0) }),
		}),
	},
	{
		flaw: "loses what came of an append that was aborted",
		noticedBy: "keeps 10 bytes that came of an append that is aborted while its bytes hang, and goes on from there",
		make: (uploads) => {
			const store = createMemoryUploadStore(uploads);
			return {
				...store,
				async append(id, offset, bytes, options) {
					const before = uploads.get(id)?.bytes;
					const reached = await store.append(id, offset, bytes, options);
					const upload = uploads.get(id);
					if (options.signal?.aborted && upload && before) upload.bytes = before;
					return reached;
				},
			};
		},
	},
	{
		flaw: "rejects when the client goes away",
		noticedBy: "keeps 1048576 bytes that came of an append whose bytes throw, and goes on from there",
		make: (uploads) => ({
			...createMemoryUploadStore(uploads),
			async append(id, offset, bytes) {
				for await (const chunk of bytes) {
					const upload = uploads.get(id);
					if (upload) upload.bytes = Buffer.concat([upload.bytes, chunk]);
				}
				return uploads.get(id)?.bytes.length ?? offset;
			},
		}),
	},
	{
		flaw: "takes bytes past the limit",
		noticedBy: "refuses bytes past the limit with a RangeError, and keeps those that came before them",
		make: (uploads) => {
			const store = createMemoryUploadStore(uploads);
			return {
				...store,
				append: (id, offset, bytes, options) =>
					store.append(id, offset, bytes, { ...options, limit: Number.POSITIVE_INFINITY }),
			};
		},
	},
	{
		flaw: "brings a discarded upload back when its append ends",
		noticedBy: "brings no bytes back when an upload is discarded while an append runs",
		make: (uploads) => ({
			...createMemoryUploadStore(uploads),
			async append(id, offset, bytes, { signal }) {
				const before = uploads.get(id)?.bytes ?? Buffer.alloc(0);
				const chunks: Uint8Array[] = [];
				await take(bytes, signal, (chunk) => chunks.push(chunk.slice()));
				const whole = Buffer.concat([before.subarray(0, offset), ...chunks]);
				uploads.set(id, { bytes: whole });
				return whole.length;
			},
		}),
	},
	{
		flaw: "acknowledges the last byte before the upload can be read",
		noticedBy: "gives an upload of 1 bytes whole, from any server, once its last byte is acknowledged",
		make: (uploads) => ({ ...createMemoryUploadStore(uploads), read: async () => null }),
	},
	{
		flaw: "counts bytes that it could not make durable",
		noticedBy: "tells nobody some bytes of an append that couldn't be made durable, and takes them again",
		make: (uploads, disk) => {
			const store = createMemoryUploadStore(uploads);
			return {
				...store,
				async append(id, offset, bytes, options) {
					const reached = await store.append(id, offset, bytes, options);
					if (disk.fails) throw new StorageError("failed", "The disk failed");
					return reached;
				},
			};
		},
	},
	{
		flaw: "counts the last bytes, though it could not make them durable",
		noticedBy: "tells nobody the last bytes of an append that couldn't be made durable, and takes them again",
		make: (uploads, disk) => {
			const [store, strict] = [createMemoryUploadStore(uploads), createMemoryUploadStore(uploads, disk)];
			return {
				...store,
				async append(id, offset, bytes, options) {
					const reached = await store.append(id, offset, bytes, options);
					if (reached < options.limit || !disk.fails) return reached;
					return strict.append(id, reached, none(), options);
				},
			};
		},
	},
];
