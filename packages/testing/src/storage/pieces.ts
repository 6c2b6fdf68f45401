import { type ByteRange, type Bytes, interruptible } from "@reelmill/engine/ports";

/** Bytes in memory, in the pieces in which they came. */
export type Pieces = readonly Uint8Array[];

export const sizeOf = (pieces: Pieces): number => pieces.reduce((sum, { length }) => sum + length, 0);

/**
 * Passes each chunk of `bytes` on. Returns the reason why they ended early: they threw, or `signal` aborted, even while
 * they hang; null if they came to their end. Rejects if `each` throws.
 */
export async function takeChunks(
	bytes: Bytes,
	signal: AbortSignal | undefined,
	each: (chunk: Uint8Array) => void,
): Promise<{ readonly reason: unknown } | null> {
	const chunks = interruptible(bytes, signal);
	try {
		for (;;) {
			const step = await chunks.next().catch((reason: unknown) => ({ reason }));
			if ("reason" in step) return step;
			if (step.done) return null;
			each(step.value);
		}
	} finally {
		chunks.leave();
	}
}

/**
 * Returns the bytes, or those of `range`.
 *
 * @throws {RangeError} when `range` starts past the end.
 */
export function readPieces(pieces: Pieces, range?: ByteRange): Bytes {
	const size = sizeOf(pieces);
	const { start, end } = range ?? { start: 0, end: size - 1 };
	if (range && (start < 0 || start >= size || end < start))
		throw new RangeError(`The range ${start}-${end} isn't within ${size} bytes`);
	return part(pieces, start, Math.min(end + 1, size));
}

async function* part(pieces: Pieces, start: number, end: number): AsyncGenerator<Uint8Array> {
	let at = 0;
	for (const piece of pieces) {
		const wanted = piece.subarray(Math.max(0, start - at), Math.max(0, end - at));
		if (wanted.length > 0) yield wanted;
		at += piece.length;
	}
}
