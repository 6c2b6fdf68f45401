import type { FileHandle } from "node:fs/promises";
import type { Bytes } from "@reelmill/engine/ports";
import { interruptible } from "@reelmill/engine/ports";

/** Large enough that the disk sets the pace, small enough that a thousand uploads at once fit into memory. */
const batchBytes = 1024 * 1024;
const batchParts = 1000;
/** Written bytes are synced each time that so many have gathered, so that the last sync is short. */
const syncBytes = 16 * 1024 * 1024;

export type WriteOptions = {
	readonly limit?: number;
	readonly signal?: AbortSignal | undefined;
	readonly release?: ((chunk: Uint8Array) => void) | undefined;
	readonly onSynced?: (end: number) => Promise<void>;
};

export type Written = {
	/** The position after the last byte written. */
	readonly end: number;
	/** Why writing ended before the bytes did: they threw, the signal aborted, or they would have exceeded the limit. */
	readonly interruption: { readonly reason: unknown; readonly limit: boolean } | null;
};

/**
 * Writes `bytes` to `file` from `start` on, in batches, with one write in flight: at most two batches are in memory.
 * Calls `release` with each chunk that is written. `onSynced` is told how far the bytes are synced, and is waited for;
 * the caller syncs the rest.
 *
 * Rejects if the disk refuses a write. If the source ends early, everything that came is written, and the result says
 * why.
 */
export async function writeBytes(
	file: FileHandle,
	start: number,
	bytes: Bytes,
	options: WriteOptions = {},
): Promise<Written> {
	const { release } = options;
	const source = interruptible(bytes, options.signal);
	const limit = options.limit ?? Number.POSITIVE_INFINITY;
	let batch: Uint8Array[] = [];
	let collected = start;
	let end = start;
	let writing: Promise<unknown> = Promise.resolve();
	const sync = syncsAlong(file, start, options.onSynced);
	let interruption: Written["interruption"] = null;
	const flush = async () => {
		await writing;
		const parts = batch;
		writing = writeAll(file, parts, end).then(() => release && parts.forEach(release));
		// The next flush awaits it. Until then a failure must not count as unhandled.
		writing.catch(() => {});
		batch = [];
		sync.written(end);
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
			if (part.length < chunk.length)
				interruption = { reason: new RangeError(`The bytes pass the limit of ${limit}`), limit: true };
			else if (collected - end >= batchBytes || batch.length >= batchParts) await flush();
		}
		await flush();
		await writing;
		await sync.done();
		return { end, interruption };
	} catch (error) {
		// No call may be running when the caller closes the file.
		await Promise.allSettled([writing, sync.done()]);
		throw error;
	} finally {
		source.leave();
	}
}

/**
 * Syncs alongside the writes, one sync at a time. A disk reports each failure to one sync only, so `done` rejects with
 * the failure of any of them.
 */
function syncsAlong(
	file: FileHandle,
	start: number,
	onSynced = async (_end: number): Promise<void> => {},
): { written(end: number): void; done(): Promise<void> } {
	let from = start;
	let running: Promise<void> | null = null;
	let failure: Promise<never> | undefined;
	const syncTo = async (end: number): Promise<void> => {
		await file.datasync();
		await onSynced(end);
	};
	return {
		written(end) {
			if (running !== null || failure !== undefined || end - from < syncBytes) return;
			from = end;
			running = syncTo(end).then(
				() => {
					running = null;
				},
				(error: unknown) => {
					running = null;
					failure = Promise.reject(error);
					failure.catch(() => {});
				},
			);
		},
		async done() {
			await running;
			await failure;
		},
	};
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

/** Returns what is left of `parts` after their first `count` bytes. */
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
