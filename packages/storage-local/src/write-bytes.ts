import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "@reelmill/engine/ports";
import { interruptible } from "@reelmill/engine/ports";

/** Large enough that the disk sets the pace, small enough that a thousand uploads at once fit into memory. */
const batchBytes = 1024 * 1024;
const batchParts = 1000;

export type Written = {
	/** The position after the last byte written. */
	readonly end: number;
	/** Why it ended before the bytes did: they threw, the signal aborted, or they would have passed the limit. */
	readonly interruption: { readonly reason: unknown; readonly limit: boolean } | null;
};

/**
 * Writes `bytes` to `file` from `start` on, in batches with one write in flight, so that two batches are in memory at most.
 * Rejects when the disk refuses a write; an end of the source that comes early is an answer, after all that came is written. Nothing is synced.
 */
export async function writeBytes(
	file: FileHandle,
	start: number,
	bytes: Bytes,
	options: { readonly limit?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Written> {
	const source = interruptible(bytes, options.signal);
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	let batch: Uint8Array[] = [];
	let collected = start;
	let end = start;
	let writing: Promise<unknown> = Promise.resolve();
	let interruption: Written["interruption"] = null;
	const flush = async () => {
		await writing;
		writing = writeAll(file, batch, end);
		// Awaited by the next flush; until then a failure must not count as unhandled.
		writing.catch(() => {});
		batch = [];
		end = collected;
	};
	try {
		while (interruption === null) {
			const next = await source.next().catch((reason: unknown) => ({ reason }));
			if ("reason" in next) {
				interruption = { reason: next.reason, limit: false };
				break;
			}
			if (next.done) break;
			const chunk = next.value;
			const part = chunk.subarray(0, Math.min(chunk.length, limit - collected));
			if (part.length > 0) batch.push(part);
			collected += part.length;
			if (part.length < chunk.length) interruption = { reason: new RangeError(`The bytes pass the limit of ${limit}`), limit: true };
			else if (collected - end >= batchBytes || batch.length >= batchParts) await flush();
		}
		await flush();
		await writing;
		return { end, interruption };
	} finally {
		source.leave();
	}
}

async function writeAll(file: FileHandle, parts: readonly Uint8Array[], position: number): Promise<void> {
	let left = parts;
	let at = position;
	while (left.length > 0) {
		const { bytesWritten } = await file.writev(left, at);
		at += bytesWritten;
		left = without(left, bytesWritten);
	}
}

/** What is left of `parts` after their first `count` bytes. */
function without(parts: readonly Uint8Array[], count: number): readonly Uint8Array[] {
	let rest = count;
	let index = 0;
	for (const part of parts) {
		if (part.length > rest) break;
		rest -= part.length;
		index++;
	}
	const [first, ...others] = parts.slice(index);
	return first === undefined ? [] : [first.subarray(rest), ...others];
}
