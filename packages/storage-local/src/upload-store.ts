import { constants } from "node:fs";
import { type FileHandle, open, readdir, unlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { UploadStore } from "@reelmill/engine/ports";
import { checkId } from "@reelmill/engine/ports";
import { onDisk } from "./disk-error.ts";
import { createDiskLanes } from "./disk-lanes.ts";
import { makeDurableDirectory, syncDirectory } from "./durable-directory.ts";
import { noPresign } from "./no-presign.ts";
import { bytesOf, checkRange, fileAt, isMissing } from "./read-bytes.ts";
import { writeBytes } from "./write-bytes.ts";

export type LocalUploadStoreOptions = {
	/** A directory of its own, made where there is none. */
	readonly directory: string;
};

/** Nothing else in the directory is an upload. */
const isUpload = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Uploads as files under `directory`, by their ids. An upload's size is its file's: bytes are only ever written at the end of it, and synced before
 * an append resolves. Several processes may use one directory, on a local file system.
 */
export function createLocalUploadStore(options: LocalUploadStoreOptions): UploadStore {
	const root = resolve(options.directory);
	const lanes = createDiskLanes();
	const pathOf = (id: string): string => {
		checkId(id);
		return join(root, id);
	};

	return {
		capabilities: { presign: false, download: true },
		presign: noPresign,
		async create(id) {
			const path = pathOf(id);
			await onDisk(() =>
				lanes.change(async () => {
					await makeDurableDirectory(root);
					const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
					await file.close();
					await syncDirectory(root);
				}),
			);
		},
		async size(id) {
			const path = pathOf(id);
			const found = await lanes.read(() => fileAt(path));
			return found && Number(found.size);
		},
		async append(id, offset, bytes, { limit, signal, release }) {
			const path = pathOf(id);
			return onDisk(async () => {
				const file = lanes.through(await lanes.read(() => openUpload(path)));
				try {
					const { size } = await file.stat();
					if (size !== offset) throw new RangeError(`The upload has ${size} bytes: none can be appended at ${offset}`);
					const { end, interruption } = await writeBytes(file, offset, bytes, { limit, signal, release });
					await file.datasync();
					await checkStillThere(path, file);
					if (interruption?.limit) throw interruption.reason;
					return end;
				} finally {
					await file.close();
				}
			});
		},
		async read(id, range) {
			const path = pathOf(id);
			const found = await lanes.read(() => fileAt(path));
			if (!found) return null;
			const size = Number(found.size);
			checkRange(size, range);
			return {
				size,
				bytes: bytesOf(lanes, path, found, range, (now) => now.ino === found.ino && now.birthtimeNs === found.birthtimeNs && now.size >= found.size),
			};
		},
		async discard(id) {
			const path = pathOf(id);
			try {
				await lanes.change(async () => {
					await unlink(path);
					await syncDirectory(root);
				});
			} catch (error) {
				if (!isMissing(error)) throw error;
			}
		},
		async *list() {
			const ids = await readdir(root).catch((error: unknown) => {
				if (isMissing(error)) return [];
				throw error;
			});
			for (const id of ids) {
				const found = await fileAt(join(root, id));
				if (found) yield { id, size: Number(found.size) };
			}
		},
		async *survey({ after }) {
			const names = await readdir(root).catch((error: unknown) => {
				if (isMissing(error)) return [];
				throw error;
			});
			for (const id of names.filter((name) => isUpload.test(name) && name > after).sort()) {
				const found = await fileAt(join(root, id));
				if (found) yield { id, size: Number(found.size), modifiedAt: new Date(Number(found.mtimeMs)) };
			}
		},
	};
}

async function openUpload(path: string): Promise<FileHandle> {
	try {
		return await open(path, constants.O_RDWR);
	} catch (error) {
		if (isMissing(error)) throw new RangeError("There is no such upload");
		throw error;
	}
}

/** A discarded upload's file has no name any more; what was written to it is gone when it is closed. */
async function checkStillThere(path: string, file: FileHandle): Promise<void> {
	const [named, written] = await Promise.all([fileAt(path), file.stat({ bigint: true })]);
	if (named?.ino !== written.ino) throw new RangeError("The upload was discarded");
}
