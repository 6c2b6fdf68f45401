import type { Bytes, OpenedObject } from "../ports/index.ts";

/**
 * The next bytes of an answer, read into memory of the reader's. It holds something from the first read until it is
 * closed, or has answered 0.
 */
export type ByteReader = {
	/** How many bytes are still to come. */
	readonly left: number;
	/** Reads on into `target` and answers how many bytes came; 0 at the end. One read at a time. */
	read(target: Uint8Array): Promise<number>;
	/**
	 * Hands on what comes next without reading it, and goes on behind as many bytes as `hand` says it took; answers that.
	 * `hand` is told a file's descriptor, which is good until it returns, where in the file to begin, and how many bytes
	 * are left. Absent where there is no such file. Not beside a read.
	 */
	transfer?(hand: (descriptor: number, position: number, length: number) => number): Promise<number>;
	/** No read runs when it is called, and none follows. Done twice is fine. */
	close(): void;
};

/** Bytes as they come, to be taken in one of the ways that are there. What isn't taken at all holds nothing. */
export type ServedBytes = Bytes & {
	/** All of them at once: shared, and not to be changed. */
	readonly inMemory?: Uint8Array;
	readonly reader?: ByteReader;
};

type Taken = { readonly object: OpenedObject; release(): void };
const chunkBytes = 256 * 1024;

/**
 * The bytes from `start` on, `length` of them, of an object that `take` gives when the first are read. An object that
 * ends before makes the read throw. `fromFile` says whether the object has a descriptor.
 */
export function bytesOfOpened(
	take: () => Promise<Taken>,
	start: number,
	length: number,
	fromFile = false,
): ServedBytes {
	let taken: Taken | null = null;
	let at = start;
	const end = start + length;
	const transfer: ByteReader["transfer"] = async (hand) => {
		taken ??= await take();
		const { descriptor } = taken.object;
		const count = descriptor === undefined ? 0 : hand(descriptor, at, end - at);
		at += count;
		return count;
	};
	const reader: ByteReader = {
		...(fromFile && { transfer }),
		get left() {
			return end - at;
		},
		async read(target) {
			const count = Math.min(target.length, end - at);
			if (count === 0) {
				reader.close();
				return 0;
			}
			taken ??= await take();
			const part = target.length === count ? target : target.subarray(0, count);
			if ((await taken.object.read(part, at)) < count) throw new Error("The object ended before its size");
			at += count;
			return count;
		},
		close() {
			taken?.release();
			taken = null;
		},
	};
	return {
		reader,
		async *[Symbol.asyncIterator]() {
			try {
				while (true) {
					const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, end - at));
					const count = await reader.read(chunk);
					if (count === 0) return;
					yield chunk.subarray(0, count);
				}
			} finally {
				reader.close();
			}
		},
	};
}
