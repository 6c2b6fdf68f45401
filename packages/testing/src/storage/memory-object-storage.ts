import { checkKey, checkPrefix, type ObjectStorage } from "@reelmill/engine/ports";
import { type Pieces, readPieces, sizeOf, takeChunks } from "./pieces.ts";

/** Keeps outputs in memory, until the process ends. */
export function createMemoryObjectStorage(): ObjectStorage {
	const objects = new Map<string, Pieces>();
	const find = (key: string) => {
		checkKey(key);
		return objects.get(key);
	};
	const keysUnder = (prefix: string): string[] => {
		checkPrefix(prefix);
		return [...objects.keys()].filter((key) => key.startsWith(prefix)).sort();
	};
	return {
		capabilities: { presign: false, download: true },
		async put(key, bytes, { signal } = {}) {
			checkKey(key);
			const pieces: Uint8Array[] = [];
			const interruption = await takeChunks(bytes, signal, (chunk) => void pieces.push(chunk.slice()));
			if (interruption) throw interruption.reason;
			objects.set(key, pieces);
			return { key, size: sizeOf(pieces) };
		},
		async get(key, range) {
			const pieces = find(key);
			return pieces ? { size: sizeOf(pieces), bytes: readPieces(pieces, range) } : null;
		},
		async head(key) {
			const pieces = find(key);
			return pieces ? { key, size: sizeOf(pieces) } : null;
		},
		async presign(key) {
			checkKey(key);
			throw new TypeError("The memory has no URLs to sign");
		},
		async delete(key) {
			checkKey(key);
			objects.delete(key);
		},
		async *list(prefix) {
			for (const key of keysUnder(prefix)) {
				const pieces = objects.get(key);
				if (pieces) yield { key, size: sizeOf(pieces) };
			}
		},
		async deletePrefix(prefix) {
			for (const key of keysUnder(prefix)) objects.delete(key);
		},
	};
}
