import { randomUUID } from "node:crypto";
import { rm, rmdir, stat, unlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { ObjectStorage } from "@reelmill/engine/ports";
import { checkKey, checkPrefix } from "@reelmill/engine/ports";
import { onDisk } from "../disk/disk-error.ts";
import { createDiskLanes } from "../disk/disk-lanes.ts";
import { makeDurableDirectory, syncNearest, syncUpTo } from "../disk/durable-directory.ts";
import { bytesOf, checkRange, fileAt, isMissing } from "../disk/read-bytes.ts";
import { keepTouched, removeUntouched } from "../disk/untouched-files.ts";
import { noPresign } from "../no-presign.ts";
import { copyDraft, moveDraft, writeDraft } from "./drafts.ts";
import { openObject } from "./open-object.ts";
import { incomingName, walkObjects } from "./walk-objects.ts";

/** The directory of the objects, and how it is used. */
export type LocalObjectStorageOptions = {
	/** A directory that belongs to the storage, with everything in it. It is made if it doesn't exist. */
	readonly directory: string;
	/**
	 * After how many seconds without a touch an unfinished file counts as that of a killed process (default: 300). A
	 * running put touches its file again and again.
	 */
	readonly leftoverSeconds?: number;
};
/** An object storage on the local disk. */
export type LocalObjectStorage = ObjectStorage & {
	/**
	 * Removes what puts of killed processes left behind, and returns how many files those were. Running puts aren't
	 * disturbed.
	 */
	removeLeftovers(): Promise<number>;
};

/**
 * Stores objects as files under `directory`, by their keys. A file is written apart, synced, and renamed into place;
 * then the rename is synced. A removal is synced, too. Several processes may use one directory, on a local file system
 * that distinguishes upper and lower case. A key can't lie below another object's key.
 *
 * @example
 * ```ts
 * import { createLocalObjectStorage } from "@reelmill/storage-local";
 *
 * const outputs = createLocalObjectStorage({ directory: "./outputs" });
 * async function* bytes() {
 * 	yield Buffer.from("hello");
 * }
 * await outputs.put("v/1/a.txt", bytes());
 * console.log(await outputs.head("v/1/a.txt")); // => { key: 'v/1/a.txt', size: 5 }
 * ```
 */
export function createLocalObjectStorage(options: LocalObjectStorageOptions): LocalObjectStorage {
	const root = resolve(options.directory);
	const incoming = join(root, incomingName);
	const lanes = createDiskLanes();
	const leftoverMilliseconds = (options.leftoverSeconds ?? 300) * 1000;
	const pathOf = (key: string): string => {
		checkKey(key);
		return join(root, key);
	};
	const change = <T>(work: () => Promise<T>): Promise<T> => onDisk(() => lanes.change(work));
	const place = (draft: string, path: string): Promise<void> =>
		lanes.change(async () => {
			await moveDraft(draft, path);
			await syncUpTo(root, dirname(path));
		});
	let prepared: Promise<unknown> | undefined;
	const prepare = (): Promise<unknown> => {
		prepared ??= makeDurableDirectory(incoming).catch((error) => {
			prepared = undefined;
			throw error;
		});
		return prepared;
	};
	/** Calls `use` with the path of a new file, and removes that file afterwards unless it was moved away. */
	const withDraft = async <T>(use: (draft: string) => Promise<T>): Promise<T> => {
		await prepare();
		const draft = join(incoming, randomUUID());
		const letGo = keepTouched(draft, leftoverMilliseconds / 5);
		try {
			return await use(draft);
		} finally {
			letGo();
			await rm(draft, { force: true });
		}
	};

	return {
		capabilities: { presign: false, download: true },
		async put(key, bytes, options = {}) {
			const path = pathOf(key);
			return onDisk(() =>
				withDraft(async (draft) => {
					const size = await writeDraft(lanes, draft, bytes, options);
					options.signal?.throwIfAborted();
					await place(draft, path);
					return { key, size };
				}),
			);
		},
		async get(key, range) {
			const path = pathOf(key);
			const found = await lanes.read(() => fileAt(path));
			if (!found) return null;
			const size = Number(found.size);
			checkRange(size, range);
			return {
				size,
				bytes: bytesOf(
					lanes,
					path,
					size,
					range,
					(now) => now.ino === found.ino && now.mtimeNs === found.mtimeNs && now.size === found.size,
				),
			};
		},
		open: async (key) => openObject(pathOf(key), lanes),
		async head(key) {
			const path = pathOf(key);
			const found = await lanes.read(() => fileAt(path));
			return found && { key, size: Number(found.size) };
		},
		async copy(from, to) {
			const [source, path] = [pathOf(from), pathOf(to)];
			return onDisk(() =>
				withDraft(async (draft) => {
					if (!(await lanes.change(() => copyDraft(source, draft)))) return null;
					const size = Number((await stat(draft)).size);
					await place(draft, path);
					return { key: to, size };
				}),
			);
		},
		presign: noPresign,
		async delete(key) {
			const path = pathOf(key);
			await change(async () => {
				try {
					await unlink(path);
				} catch (error) {
					if (!isMissing(error) && !(await isDirectory(path))) throw error;
				}
				await removeEmptyAbove(root, path);
				await syncNearest(root, dirname(path));
			});
		},
		async *list(prefix) {
			checkPrefix(prefix);
			for await (const { key, size } of walkObjects(root, prefix)) yield { key, size };
		},
		async *survey({ prefix, after }) {
			if (prefix !== "") checkPrefix(prefix);
			yield* walkObjects(root, prefix, after);
		},
		async deletePrefix(prefix) {
			checkPrefix(prefix);
			const path = join(root, prefix.slice(0, -1));
			await change(async () => {
				if (await isDirectory(path)) await rm(path, { recursive: true, force: true, maxRetries: 5 });
				await removeEmptyAbove(root, path);
				await syncNearest(root, dirname(path));
			});
		},
		removeLeftovers: () => lanes.change(async () => (await removeUntouched(incoming, leftoverMilliseconds)).length),
	};
}

async function isDirectory(path: string): Promise<boolean> {
	try {
		return (await stat(path)).isDirectory();
	} catch (error) {
		if (isMissing(error)) return false;
		throw error;
	}
}

async function removeEmptyAbove(root: string, path: string): Promise<void> {
	try {
		for (let at = dirname(path); at !== root; at = dirname(at)) await rmdir(at);
	} catch {
		// The folder isn't empty, or another call removed it.
	}
}
