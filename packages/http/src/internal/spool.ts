import { type FileHandle, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { isReelmillError, ReelmillError } from "@reelmill/contracts";
import { type Bytes, type Clock, createLane, type Lane, StorageError, unavailableIn } from "@reelmill/engine";
import { RandomAccessReader } from "yauzl";
import { freeChunk } from "../node/body.ts";

/** A file without a name. The system removes it when it is closed, even if that is because the process was killed. */
export type Spool = {
	/** In bytes. */
	readonly size: number;
	/**
	 * Fills `target` with the bytes from `position` on.
	 *
	 * @throws {ReelmillError} `storage_unavailable` when the disk fails, or does not answer for 6 s.
	 * @throws {Error} when the file ends first.
	 */
	read(target: Uint8Array, position: number): Promise<void>;
};

export type Spools = {
	/**
	 * Writes `bytes` to a nameless file in the directory and calls `use` with it. Frees each chunk once it is written. The
	 * file is gone when the promise settles. Errors of `bytes` and `use` are passed on.
	 *
	 * @throws {ReelmillError} `zip_too_large` when there are more than `limit` bytes.
	 * @throws {ReelmillError} `storage_unavailable` when the disk is full, fails, or takes nothing for 6 s.
	 */
	with<T>(
		bytes: Bytes,
		request: { readonly name: string; readonly limit: number },
		use: (spool: Spool) => Promise<T>,
	): Promise<T>;
};

/** How many calls to the disk may run at once. A call that hangs holds one of Node's threads until the disk answers. */
const places = 4;
const silentMilliseconds = 6000;
const batchBytes = 1024 * 1024;
const readBytes = 256 * 1024;

export function createSpools(directory: string, clock: Clock): Spools {
	const lane = createLane(places);
	return {
		async with(bytes, { name, limit }, use) {
			const disk = createDisk(lane, clock);
			const file = await disk(() => openNameless(join(directory, name)));
			try {
				const size = await write(file, bytes, limit, disk);
				return await use({ size, read: (target, position) => disk(() => fill(file, target, position)) });
			} finally {
				// Don't wait: on a disk that hangs, closing takes until the disk answers.
				file.close().catch(() => undefined);
			}
		},
	};
}

type Disk = <T>(call: () => Promise<T>) => Promise<T>;

/** Creates a way to call the disk that gives up a call after 6 s. */
const createDisk =
	(lane: Lane, clock: Clock): Disk =>
	async (call) => {
		const over = new AbortController();
		const late = clock.sleep(silentMilliseconds, over.signal).then(() => {
			if (!over.signal.aborted) throw new StorageError("unreachable", "The disk of the spools didn't answer in time");
		});
		late.catch(() => undefined);
		try {
			return (await Promise.race([lane.run(call), late])) as Awaited<ReturnType<typeof call>>;
		} catch (error) {
			checkSpool(error);
			throw error;
		} finally {
			over.abort();
		}
	};

/**
 * Does nothing for an error that has nothing to do with the disk.
 *
 * @throws {ReelmillError} `storage_unavailable` when the disk is the reason of the error.
 */
export function checkSpool(error: unknown): void {
	if (!isReelmillError(error) && unavailableIn(error) !== null)
		throw new ReelmillError("storage_unavailable", { cause: error });
}

async function openNameless(path: string): Promise<FileHandle> {
	const file = await open(path, "wx+", 0o600);
	try {
		await unlink(path);
		return file;
	} catch (error) {
		await file.close();
		throw error;
	}
}

/** Writes the bytes in batches and returns their number. One batch is being written while the next one arrives. */
async function write(file: FileHandle, bytes: Bytes, limit: number, disk: Disk): Promise<number> {
	let [size, end] = [0, 0];
	let batch: Uint8Array[] = [];
	let writing: Promise<unknown> = Promise.resolve();
	const flush = async () => {
		await writing;
		const [parts, position, length] = [batch, end, size - end];
		[batch, end] = [[], size];
		writing = disk(async () => {
			checkWhole((await file.writev(parts, position)).bytesWritten, length);
			parts.forEach(freeChunk);
		});
		// The next flush awaits it. Until then a failure must not count as unhandled.
		writing.catch(() => undefined);
	};
	for await (const chunk of bytes) {
		size += chunk.byteLength;
		if (size > limit) throw new ReelmillError("zip_too_large");
		batch.push(chunk);
		if (size - end >= batchBytes) await flush();
	}
	await flush();
	await writing;
	return size;
}

/** Throws if not everything was written: the system writes a part if the disk becomes full in the middle. */
function checkWhole(written: number, length: number): void {
	if (written < length) throw new StorageError("failed", "The disk of the spools is full");
}

async function fill(file: FileHandle, target: Uint8Array, position: number): Promise<void> {
	for (let count = 0; count < target.length; ) {
		const { bytesRead } = await file.read(target, count, target.length - count, position + count);
		if (bytesRead === 0) throw new Error("The spool ended before its size");
		count += bytesRead;
	}
}

/** Lets yauzl read a spool. */
export class SpoolReader extends RandomAccessReader {
	readonly #spool: Spool;

	constructor(spool: Spool) {
		super();
		this.#spool = spool;
	}

	override read(
		buffer: Buffer,
		offset: number,
		length: number,
		position: number,
		callback: (error: Error | null, bytesRead?: number) => void,
	): void {
		this.#spool.read(buffer.subarray(offset, offset + length), position).then(() => callback(null, length), callback);
	}

	override _readStreamForRange(start: number, end: number): Readable {
		const spool = this.#spool;
		const parts = async function* () {
			for (let at = start; at < end; at += readBytes) {
				const part = Buffer.allocUnsafeSlow(Math.min(readBytes, end - at));
				await spool.read(part, at);
				yield part;
			}
		};
		return Readable.from(parts(), { objectMode: false });
	}
}
