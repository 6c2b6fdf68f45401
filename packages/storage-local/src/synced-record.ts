import { randomUUID } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "./durable-directory.ts";
import { fileAt, isMissing } from "./read-bytes.ts";

/**
 * A line is an offset in decimal, of a length that divides a sector's: after a power cut it is there whole or not at
 * all.
 */
const lineBytes = 16;
const line = /^ *(\d+)$/;
const rememberedRecords = 10_000;
/** Of a longer record its writer makes a new one, so that all lines lie in the block that was written first. */
const longest = 448;

/**
 * How much of an upload is on the disk: a file of lines, each an offset up to which the bytes were synced before it was
 * written. The highest counts. A line is appended in one system call, so that one that comes late, from a writer that
 * stood still meanwhile, takes nothing back.
 */
export type SyncedRecord = {
	readonly isNew: boolean;
	/**
	 * The highest offset in it. Another process may just have written it, so that a power cut could still take it away.
	 */
	read(): Promise<number>;
	/**
	 * Resolves when `offset` is in the record and a power cut can't take it away; at once where this process has seen to
	 * it before. Give it offsets up to which the bytes were synced, and those that `read` answered.
	 */
	keep(offset: number): Promise<void>;
	close(): Promise<void>;
};

/**
 * By path: the offset up to which this process itself brought a record to the disk, and how long the record was then. A
 * line that can be read proves nothing: where its sync failed, the kernel shows it all the same, and says of the next
 * sync that all is well. A line that this process didn't write is written again, which makes the kernel write it, too:
 * into a block that the record had before, since that is where the kernel can be trusted.
 */
export type KeptOffsets = Map<string, { readonly file: string; readonly length: number; readonly offset: number }>;

const fileOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev} ${ino} ${birthtimeNs}`;

/** Opens the record at `path`. Rejects with ENOENT where there is none, unless it is to be made. */
export async function openSyncedRecord(
	path: string,
	kept: KeptOffsets,
	{ create = false } = {},
): Promise<SyncedRecord> {
	const handle = await open(path, constants.O_RDWR | constants.O_APPEND | (create ? constants.O_CREAT : 0), 0o600);
	try {
		const found = await handle.stat({ bigint: true });
		const file = fileOf(found);
		let length = Number(found.size);
		const before = kept.get(path);
		let offset = before?.file === file ? before.offset : -1;
		return {
			isNew: length === 0,
			read: () => highestLine(handle),
			async keep(next) {
				if (next <= offset) return;
				await handle.write(`${String(next).padStart(lineBytes - 1)}\n`);
				await handle.datasync();
				// Where another process wrote, too, the record is longer than this, and is read again.
				length += lineBytes;
				offset = next;
				remember(kept, path, { file, length, offset });
			},
			close: () => handle.close(),
		};
	} catch (error) {
		await handle.close();
		throw error;
	}
}

/**
 * Puts a record of `offset` alone in the place of the one at `path`, durably. Whoever has that open writes to it in
 * vain.
 */
export async function replaceSyncedRecord(path: string, offset: number, kept: KeptOffsets): Promise<void> {
	const draft = `${path}.${randomUUID()}`;
	const record = await openSyncedRecord(draft, kept, { create: true });
	try {
		await record.keep(offset);
		await rename(draft, path);
		await syncDirectory(dirname(path));
	} catch (error) {
		await rm(draft, { force: true });
		throw error;
	} finally {
		await record.close();
	}
	const known = kept.get(draft);
	kept.delete(draft);
	if (known !== undefined) remember(kept, path, known);
}

/**
 * What the record at `path` holds, where this process brought that to the disk and nobody has written to it since;
 * otherwise undefined.
 */
export async function keptOffset(path: string, kept: KeptOffsets): Promise<number | undefined> {
	const known = kept.get(path);
	if (known === undefined) return undefined;
	const found = await fileAt(path);
	const { length, offset } = known;
	return found !== null && fileOf(found) === known.file && Number(found.size) === length && length <= longest
		? offset
		: undefined;
}

/** The highest offset in the record at `path`, by reading alone; null where there is none. */
export async function readSyncedRecord(path: string): Promise<number | null> {
	const handle = await open(path, constants.O_RDONLY).catch((error: unknown) => {
		if (isMissing(error)) return null;
		throw error;
	});
	if (handle === null) return null;
	try {
		return await highestLine(handle);
	} finally {
		await handle.close();
	}
}

async function highestLine(handle: FileHandle): Promise<number> {
	const { size } = await handle.stat();
	const text = Buffer.alloc(size);
	const { bytesRead } = await handle.read(text, 0, size, 0);
	let highest = 0;
	for (let at = 0; at + lineBytes <= bytesRead; at += lineBytes) {
		// A line that a power cut took is of zeros.
		const [, offset] = line.exec(text.toString("latin1", at, at + lineBytes - 1)) ?? [];
		if (offset !== undefined) highest = Math.max(highest, Number(offset));
	}
	return highest;
}

function remember(kept: KeptOffsets, path: string, known: { file: string; length: number; offset: number }): void {
	kept.delete(path);
	kept.set(path, known);
	if (kept.size > rememberedRecords) kept.delete(kept.keys().next().value as string);
}
