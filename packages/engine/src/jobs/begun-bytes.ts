import type { Bytes } from "../ports/index.ts";

/**
 * The same bytes, the first of which were read already: what keeps them from being read throws here, before an answer
 * begins. To be iterated, once, or left by `return`. Not a generator: one that is left before its first step would not
 * leave `bytes`.
 */
export async function begun(bytes: Bytes): Promise<Bytes> {
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
