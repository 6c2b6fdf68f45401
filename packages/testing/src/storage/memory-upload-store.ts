import { checkId, type UploadStore } from "@reelmill/engine/ports";
import { readPieces, sizeOf, takeChunks } from "./pieces.ts";

/** Keeps uploads in memory, until the process ends. */
export function createMemoryUploadStore(): UploadStore {
	const uploads = new Map<string, Uint8Array[]>();
	const find = (id: string) => {
		checkId(id);
		return uploads.get(id);
	};
	return {
		capabilities: { presign: false, download: true },
		async create(id) {
			if (find(id) === undefined) uploads.set(id, []);
		},
		async size(id) {
			const pieces = find(id);
			return pieces ? sizeOf(pieces) : null;
		},
		async append(id, offset, bytes, { limit, signal }) {
			const pieces = find(id);
			const size = pieces && sizeOf(pieces);
			if (pieces === undefined || size !== offset)
				throw new RangeError(`The upload stands at ${size ?? "nothing"}: none can be appended at ${offset}`);
			let reached = offset;
			await takeChunks(bytes, signal, (chunk) => {
				if (uploads.get(id) !== pieces || sizeOf(pieces) !== reached)
					throw new RangeError("The upload was discarded, or written to by another, meanwhile");
				const kept = chunk.slice(0, limit - reached);
				pieces.push(kept);
				reached += kept.length;
				if (kept.length < chunk.length) throw new RangeError(`The bytes pass the limit of ${limit}`);
			});
			if (uploads.get(id) !== pieces) throw new RangeError("The upload was discarded meanwhile");
			return reached;
		},
		async read(id, range) {
			const pieces = find(id);
			return pieces ? { size: sizeOf(pieces), bytes: readPieces([...pieces], range) } : null;
		},
		async presign(id) {
			checkId(id);
			throw new TypeError("The memory has no URLs to sign");
		},
		async discard(id) {
			checkId(id);
			uploads.delete(id);
		},
		async *list() {
			for (const [id, pieces] of [...uploads]) yield { id, size: sizeOf(pieces) };
		},
	};
}
