import { StorageError, type UploadStore } from "@reelmill/engine/ports";
import { cut, inParts, noPresign, take } from "./support/memory-object-storage.ts";

export type Uploads = Map<string, { bytes: Buffer }>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
function check(id: string): void {
	if (!uuid.test(id)) throw new TypeError("not an id");
}

/** Whether nothing can be made durable now. */
export type Disk = { fails: boolean };

/** A correct adapter in memory, except that it survives nothing. */
export function createMemoryUploadStore(uploads: Uploads, disk: Disk = { fails: false }): UploadStore {
	return {
		capabilities: { presign: false, download: true },
		presign: noPresign,
		async create(id) {
			check(id);
			if (!uploads.has(id)) uploads.set(id, { bytes: Buffer.alloc(0) });
		},
		async size(id) {
			check(id);
			return uploads.get(id)?.bytes.length ?? null;
		},
		async append(id, offset, bytes, { limit, signal }) {
			check(id);
			const upload = uploads.get(id);
			if (upload?.bytes.length !== offset) throw new RangeError("not the offset");
			let passed = false;
			const pending: Uint8Array[] = [];
			let length = offset;
			await take(bytes, signal, (chunk) => {
				const room = chunk.subarray(0, Math.max(0, limit - length));
				passed ||= room.length < chunk.length;
				length += room.length;
				pending.push(room.slice());
			});
			if (uploads.get(id) !== upload) throw new RangeError("discarded");
			if (disk.fails) throw new StorageError("failed", "The disk failed");
			upload.bytes = Buffer.concat([upload.bytes, ...pending]);
			if (passed) throw new RangeError("past the limit");
			return length;
		},
		async read(id, range) {
			check(id);
			const upload = uploads.get(id);
			return upload ? { size: upload.bytes.length, bytes: inParts(cut(upload.bytes, range)) } : null;
		},
		async discard(id) {
			check(id);
			uploads.delete(id);
		},
		async *list() {
			for (const [id, { bytes }] of uploads) yield { id, size: bytes.length };
		},
	};
}

export const failing =
	(disk: Disk) =>
	async (use: () => Promise<void>): Promise<void> => {
		disk.fails = true;
		try {
			await use();
		} finally {
			disk.fails = false;
		}
	};
