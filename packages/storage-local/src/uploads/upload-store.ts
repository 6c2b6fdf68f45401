import { constants, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { UploadStore } from "@reelmill/engine/ports";
import { onDisk } from "../disk/disk-error.ts";
import { createDiskLanes } from "../disk/disk-lanes.ts";
import { makeDurableDirectory, syncDirectory } from "../disk/durable-directory.ts";
import { bytesOf, checkRange, fileAt, isMissing, nullIfMissing } from "../disk/read-bytes.ts";
import { writeBytes } from "../disk/write-bytes.ts";
import { noPresign } from "../no-presign.ts";
import { openUpload } from "./open-upload.ts";
import { type KeptOffsets, openSyncedRecord, readSyncedRecord } from "./synced-record.ts";
import { idOf, type UploadPaths, uploadPaths } from "./upload-paths.ts";
import { bareSize, knownSize, provenSize } from "./upload-size.ts";

/** The directory of the uploads, and how it is used. */
export type LocalUploadStoreOptions = {
	/** The uploads' directory, which is made if it doesn't exist. */
	readonly directory: string;
};

/** The record is raised at most this often while an append runs, so that a killed append keeps most of what came. */
const mostSteps = 32;

/**
 * Stores uploads as directories under `directory`, by their ids: the bytes, and a record of how many of them were
 * synced. The record, and never the file's length, is an upload's size. Bytes that weren't synced, or whose sync
 * failed, are reported to nobody, and the next append cuts them off. Several processes may use one directory, on a
 * local file system.
 *
 * @example
 * ```ts
 * import { createLocalUploadStore } from "@reelmill/storage-local";
 *
 * const uploads = createLocalUploadStore({ directory: "./uploads" });
 * const id = "0b9f9f3e-6ad1-4bb8-8c2e-6a3f1a2b3c4d";
 * async function* bytes() {
 * 	yield Buffer.from("hello");
 * }
 * await uploads.create(id);
 * await uploads.append(id, 0, bytes(), { limit: 1000 });
 * console.log(await uploads.size(id)); // => 5
 * ```
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
				if ((await fileAt(paths.bareFile)) === null) await makeUpload(paths, kept);
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
						async () => (await provenSize(paths, kept)) ?? (await bareSize(paths)) ?? provenSize(paths, kept),
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
			const { directory, gone, converting, bareFile } = uploadPaths(root, id);
			await change(async () => {
				// A directory that a killed process left under this name stands in the way unless it is empty.
				await rename(directory, gone).catch(async (error: NodeJS.ErrnoException) => {
					if (isMissing(error)) return;
					await removeAll(gone);
					await rename(directory, gone).catch(unlessMissing);
				});
				for (const path of [bareFile, converting, gone]) await removeAll(path);
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

/** Lists the ids of all uploads, in order, those included of which only a part is left. */
async function idsIn(root: string): Promise<readonly string[]> {
	const names = await readdir(root).catch((error: unknown) => {
		if (isMissing(error)) return [];
		throw error;
	});
	return [...new Set(names.map(idOf).filter((id) => id !== undefined))].sort();
}

/**
 * Returns when what is left of an upload without bytes was last touched, in milliseconds since the epoch; null if
 * nothing is left.
 */
async function leftAt({ directory, gone, converting }: UploadPaths): Promise<number | null> {
	const times = await Promise.all(
		[directory, gone, converting].map((path) => stat(path).then(({ mtimeMs }) => mtimeMs, nullIfMissing)),
	);
	return times.reduce<number | null>((latest, time) => (time !== null && time > (latest ?? 0) ? time : latest), null);
}

/** Makes a function that calls `keep` with an offset only if it is at least `step` past the last one. */
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

/** A discard that runs meanwhile may remove the directory again. */
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

async function lookUp({ record, bytes, bareFile }: UploadPaths) {
	const recorded = await readSyncedRecord(record);
	const path = recorded === null ? bareFile : bytes;
	const file = await fileAt(path);
	return file && { path, file, size: Math.min(Number(file.size), recorded ?? Number.POSITIVE_INFINITY) };
}

const removeAll = (path: string): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 5 });

const unlessMissing = (error: unknown): void => void nullIfMissing(error);
