import { randomUUID } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { syncDirectory } from "../disk/durable-directory.ts";
import { fileAt, isMissing } from "../disk/read-bytes.ts";

/**
 * A line is a decimal offset. Its length divides that of a disk's sector, so that after a power cut it is there whole
 * or not at all.
 */
const lineBytes = 16;
const line = /^ *(\d+)$/;
const rememberedRecords = 10_000;
/** A longer record is replaced by its writer, so that all lines lie in the block that was written first. */
const longest = 448;

/**
 * How many bytes of an upload are on the disk: a file of lines, each of them an offset up to which the bytes were
 * synced before the line was written. The highest line counts. A line is appended by one system call, so that a late
 * line, from a writer that stood still, takes nothing back.
 */
export type SyncedRecord = {
	readonly isNew: boolean;
	/**
	 * Returns the highest offset in the record. If another process has just written it, a power cut could still take it
	 * away.
	 */
	read(): Promise<number>;
	/**
	 * Resolves when `offset` is in the record and on the disk; at once if this process has written it before. Call it
	 * with offsets up to which the bytes were synced, or that `read` returned.
	 */
	keep(offset: number): Promise<void>;
	close(): Promise<void>;
};

/**
 * By path: the offset that this process itself brought to the disk, and the record's length then. A line that can be
 * read proves nothing: after a failed sync the kernel still shows it, and reports success for the next sync. A line
 * that this process didn't write is therefore written again, which makes the kernel write it: into a block that the
 * record had before, where the kernel can be trusted.
 */
export type KeptOffsets = Map<string, { readonly file: string; readonly length: number; readonly offset: number }>;

const fileOf = ({ dev, ino, birthtimeNs }: BigIntStats): string => `${dev} ${ino} ${birthtimeNs}`;

/** Opens the record at `path`. Rejects with ENOENT if there is none and `create` is false. */
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
				// If another process wrote, too, the record is longer than this, and is read again.
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

/** Replaces the record at `path` by one with `offset` alone, durably. Later writes to the old record have no effect. */
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
 * Returns the offset in the record at `path` if this process brought it to the disk and nobody has written to the
 * record since; otherwise undefined.
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

/** Reads the highest offset in the record at `path`; null if there is no record. */
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
		// A line that a power cut took consists of zeros.
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
