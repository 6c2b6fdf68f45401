import type { ByteRange } from "../headers/conditional.ts";

/** Files are kept in blocks of this size, so that a range costs little and a film needs no room in one piece. */
export const blockBytes = 1024 * 1024;

/** Which bytes a block of a file of `size` bytes has. */
export const rangeOfBlock = (index: number, size: number): ByteRange => ({
	start: index * blockBytes,
	end: Math.min((index + 1) * blockBytes, size) - 1,
});

/** What a Content-Range header says of a part; null if it says something else. */
export function parseContentRange(header: string | null): (ByteRange & { readonly size: number }) | null {
	const [, start, end, size] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? "") ?? [];
	return size === undefined ? null : { start: Number(start), end: Number(end), size: Number(size) };
}

/**
 * Reads an answer's body, of exactly `length` bytes.
 *
 * @throws {TypeError} when it has more or fewer.
 */
export async function readExactly(answer: Response, length: number): Promise<Uint8Array> {
	const bytes = new Uint8Array(length);
	let at = 0;
	const reader = answer.body?.getReader();
	while (reader !== undefined) {
		const { done, value } = await reader.read();
		if (done) break;
		if (at + value.length > length) {
			await reader.cancel();
			throw new TypeError(`The service sent more than ${length} bytes.`);
		}
		bytes.set(value, at);
		at += value.length;
	}
	if (at !== length) throw new TypeError(`The service sent ${at} bytes of ${length}.`);
	return bytes;
}

/**
 * Returns the bytes of `range` as the body of an answer. Those of later blocks than the first are fetched one after the
 * other as they are read.
 */
export function bodyOf(
	{ start, end }: ByteRange,
	blockOf: (index: number) => Promise<Uint8Array>,
	first: Uint8Array,
): Uint8Array | ReadableStream<Uint8Array> {
	const firstIndex = Math.floor(start / blockBytes);
	const lastIndex = Math.floor(end / blockBytes);
	const partOf = (index: number, block: Uint8Array): Uint8Array =>
		block.subarray(Math.max(start - index * blockBytes, 0), Math.min(end + 1 - index * blockBytes, block.length));
	if (firstIndex === lastIndex) return partOf(firstIndex, first);
	let index = firstIndex;
	const stream = new ReadableStream<Uint8Array>({
		async pull(controller) {
			controller.enqueue(partOf(index, index === firstIndex ? first : await blockOf(index)));
			index += 1;
			if (index > lastIndex) controller.close();
		},
	});
	// Without it, Workers send an answer whose end can't be told from a break.
	const { FixedLengthStream } = globalThis as unknown as { FixedLengthStream?: FixedLength };
	return FixedLengthStream === undefined ? stream : stream.pipeThrough(new FixedLengthStream(end - start + 1));
}

type FixedLength = new (length: number) => ReadableWritablePair<Uint8Array, Uint8Array>;
