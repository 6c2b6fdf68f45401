import { constants, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { UploadStore } from "@reelmill/engine/ports";
import { onDisk } from "./disk-error.ts";
import { createDiskLanes } from "./disk-lanes.ts";
import { makeDurableDirectory, syncDirectory } from "./durable-directory.ts";
import { openFormerUpload } from "./former-upload.ts";
import { noPresign } from "./no-presign.ts";
import { openUpload } from "./open-upload.ts";
import { bytesOf, checkRange, fileAt, isMissing } from "./read-bytes.ts";
import { type KeptOffsets, keptOffset, openSyncedRecord, readSyncedRecord } from "./synced-record.ts";
import { idOf, type UploadPaths, uploadPaths } from "./upload-paths.ts";
import { writeBytes } from "./write-bytes.ts";

export type LocalUploadStoreOptions = {
	/** A directory of its own, made where there is none. */
	readonly directory: string;
};

/** How often at most the record is raised while an append runs, so that one that is killed keeps most of what came. */
const mostSteps = 32;

/**
 * Uploads as directories under `directory`, by their ids: the bytes, and a record of how many of them were synced.
 * That, and never the file's length, is an upload's size: what was written and not synced, or whose sync failed, is
 * told to nobody, in no process, and is thrown away by the next append. Several processes may use one directory, on a
 * local file system.
 */
export function createLocalUploadStore(options: LocalUploadStoreOptions): UploadStore {
	const root = resolve(options.directory);
	const kept: KeptOffsets = new Map();
	const lanes = createDiskLanes();
	const change = <T>(work: () => Promise<T>): Promise<T> => onDisk(() => lanes.change(work));

	return {
		capabilities: { presign: false, download: true },
		presign: noPresign,
		async create(id) {
			const paths = uploadPaths(root, id);
			await change(async () => {
				await makeDurableDirectory(root);
				if ((await fileAt(paths.former)) === null) await makeUpload(paths, kept);
				await syncDirectory(root);
			});
		},
		async size(id) {
			const paths = uploadPaths(root, id);
			return onDisk(async () => {
				const known = await lanes.read(() => knownSize(paths, kept));
				return (
					known ??
					lanes.change(
						async () => (await provenSize(paths, kept)) ?? (await formerSize(paths)) ?? provenSize(paths, kept),
					)
				);
			});
		},
		async append(id, offset, bytes, { limit, signal, release }) {
			const paths = uploadPaths(root, id);
			return onDisk(async () => {
				const opened = await lanes.change(() => openUpload(root, paths, kept));
				const { record, size, checkStillThere, close } = opened;
				const file = lanes.through(opened.file);
				const keep = (reached: number): Promise<void> => lanes.change(() => record.keep(reached));
				try {
					if (size !== offset) throw new RangeError(`The upload has ${size} bytes: none can be appended at ${offset}`);
					const onSynced = atSteps(limit / mostSteps, offset, keep);
					const { end, interruption } = await writeBytes(file, offset, bytes, { limit, signal, release, onSynced });
					await file.datasync();
					await keep(end);
					await checkStillThere();
					if (interruption?.limit) throw interruption.reason;
					return end;
				} finally {
					await close();
				}
			});
		},
		async read(id, range) {
			const paths = uploadPaths(root, id);
			const found = await lanes.read(() => lookUp(paths));
			if (!found) return null;
			const { path, file, size } = found;
			checkRange(size, range);
			const same: Parameters<typeof bytesOf>[4] = (now) =>
				now.ino === file.ino && now.birthtimeNs === file.birthtimeNs && now.size >= file.size;
			return { size, bytes: bytesOf(lanes, path, size, range, same) };
		},
		async discard(id) {
			const { directory, gone, adopting, former } = uploadPaths(root, id);
			await change(async () => {
				// What a killed process left over the same stands in the way of a directory, but of none that is empty.
				await rename(directory, gone).catch(async (error: NodeJS.ErrnoException) => {
					if (isMissing(error)) return;
					await removeAll(gone);
					await rename(directory, gone).catch(unlessMissing);
				});
				for (const path of [former, adopting, gone]) await removeAll(path);
				await syncDirectory(root).catch(unlessMissing);
			});
		},
		async *list() {
			for (const id of await idsIn(root)) {
				const found = await lookUp(uploadPaths(root, id));
				yield { id, size: found?.size ?? 0 };
			}
		},
		async *survey({ after }) {
			for (const id of await idsIn(root)) {
				if (id <= after) continue;
				const paths = uploadPaths(root, id);
				const found = await lookUp(paths);
				const writtenAt = found === null ? await leftAt(paths) : Number(found.file.mtimeMs);
				if (writtenAt !== null) yield { id, size: found?.size ?? 0, modifiedAt: new Date(writtenAt) };
			}
		},
	};
}

/** Of all uploads, also those of which only a part is left, in their order. */
async function idsIn(root: string): Promise<readonly string[]> {
	const names = await readdir(root).catch((error: unknown) => {
		if (isMissing(error)) return [];
		throw error;
	});
	return [...new Set(names.map(idOf).filter((id) => id !== undefined))].sort();
}

/**
 * When what is left of an upload without bytes was last touched, in milliseconds since the epoch; null where nothing is
 * left.
 */
async function leftAt({ directory, gone, adopting }: UploadPaths): Promise<number | null> {
	const times = await Promise.all(
		[directory, gone, adopting].map((path) => stat(path).then(({ mtimeMs }) => mtimeMs, nullIfMissing)),
	);
	return times.reduce<number | null>((latest, time) => (time !== null && time > (latest ?? 0) ? time : latest), null);
}

/** Calls `keep` with an offset that is at least `step` past the last one. */
function atSteps(
	step: number,
	start: number,
	keep: (offset: number) => Promise<void>,
): (offset: number) => Promise<void> {
	let last = start;
	return async (offset) => {
		if (offset - last < step) return;
		last = offset;
		await keep(offset);
	};
}

/** A discard that runs meanwhile may take the directory away again. */
async function makeUpload({ directory, bytes, record }: UploadPaths, kept: KeptOffsets): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		try {
			await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
				if (error.code !== "EEXIST") throw error;
			});
			const file = await open(bytes, constants.O_WRONLY | constants.O_CREAT, 0o600);
			await file.close();
			const made = await openSyncedRecord(record, kept, { create: true });
			await (made.isNew ? made.keep(0) : Promise.resolve()).finally(made.close);
			return await syncDirectory(directory);
		} catch (error) {
			if (attempt === 100 || !isMissing(error)) throw error;
		}
	}
}

/** The upload's size where this process saw to it that a power cut can't take it away; null where that isn't known. */
async function knownSize({ record, bytes }: UploadPaths, kept: KeptOffsets): Promise<number | null> {
	const known = await keptOffset(record, kept);
	return known !== undefined && Number((await fileAt(bytes))?.size ?? -1) >= known ? known : null;
}

/** How many bytes a power cut can't take away, which it sees to; null where there is no upload with a record. */
async function provenSize({ record, bytes }: UploadPaths, kept: KeptOffsets): Promise<number | null> {
	const opened = await openSyncedRecord(record, kept).catch(nullIfMissing);
	if (opened === null) return null;
	try {
		const recorded = await opened.read();
		const file = await open(bytes, constants.O_RDONLY).catch(nullIfMissing);
		if (file === null) return null;
		try {
			const { size } = await file.stat();
			if (recorded > size) await file.datasync();
			else if (recorded > 0) await opened.keep(recorded);
			return Math.min(recorded, size);
		} finally {
			await file.close();
		}
	} finally {
		await opened.close();
	}
}

async function formerSize(paths: UploadPaths): Promise<number | null> {
	const file = await openFormerUpload(paths);
	if (file === null) return null;
	try {
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}

async function lookUp({ record, bytes, former }: UploadPaths) {
	const recorded = await readSyncedRecord(record);
	const path = recorded === null ? former : bytes;
	const file = await fileAt(path);
	return file && { path, file, size: Math.min(Number(file.size), recorded ?? Number.POSITIVE_INFINITY) };
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });

function nullIfMissing(error: unknown): null {
	if (isMissing(error)) return null;
	throw error;
}
const unlessMissing = (error: unknown): void => void nullIfMissing(error);
