import type { Bytes, OpenedObject } from "../ports/index.ts";

/**
 * Reads the bytes of an answer into the caller's memory. It holds an open file from the first read until it is closed
 * or a read returned 0.
 */
export type ByteReader = {
	/** How many bytes are still to come. */
	readonly left: number;
	/** Reads the next bytes into `target` and returns how many; 0 at the end. Only one read may run at a time. */
	read(target: Uint8Array): Promise<number>;
	/**
	 * Lets `hand` take the next bytes from the file itself, for instance by the kernel. `hand` gets the file's
	 * descriptor, which is valid until it returns, the position in the file and the number of bytes left. It returns how
	 * many bytes it took; so does this function. Absent if there is no file. It must not run during a read.
	 */
	transfer?(hand: (descriptor: number, position: number, length: number) => number): Promise<number>;
	/** Closes the reader. No read may run at that time, and none may follow. Calling it twice is harmless. */
	close(): void;
};

/**
 * Bytes that can be taken in one of several ways: by iteration, at once from memory, or by a reader. Bytes that nobody
 * takes hold no resources.
 */
export type ServedBytes = Bytes & {
	/** All bytes. They are shared and must not be changed. */
	readonly inMemory?: Uint8Array;
	readonly reader?: ByteReader;
};

type Taken = { readonly object: OpenedObject; release(): void };
const chunkBytes = 256 * 1024;

/**
 * Returns `length` bytes from `start` on, of an object that `take` provides when the first bytes are read. A read
 * throws if the object ends too early. `fromFile` says whether the object has a descriptor.
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
