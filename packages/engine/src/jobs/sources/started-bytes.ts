import type { Bytes } from "../../ports/index.ts";

/**
 * Reads the first bytes, and returns all of them to be iterated once. An error of the first read is thrown here, before
 * an answer begins. The result is no generator: a generator that is left before its first step would not close `bytes`.
 */
export async function startBytes(bytes: Bytes): Promise<Bytes> {
	const iterator = bytes[Symbol.asyncIterator]();
	let first: IteratorResult<Uint8Array> | null = await iterator.next();
	return {
		[Symbol.asyncIterator]: () => ({
			async next() {
				if (first === null) return iterator.next();
				const taken = first;
				first = null;
				return taken;
			},
			async return() {
				await iterator.return?.();
				return { done: true, value: undefined };
			},
		}),
	};
}
