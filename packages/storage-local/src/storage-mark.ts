import { randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StorageMark } from "@reelmill/engine/ports";
import { onDisk } from "./disk/disk-error.ts";
import { makeDurableDirectory, syncDirectory } from "./disk/durable-directory.ts";

/**
 * Keeps the mark of a storage in the file `storage.id` of `directory`, beside the folders of uploads and outputs. It
 * moves with them; if you move them by other means, copy it as well. It is written whole or not at all, and synced.
 *
 * @example
 * ```ts
 * import { createLocalStorageMark } from "@reelmill/storage-local";
 *
 * const mark = createLocalStorageMark({ directory: "./storage" });
 * console.log(await mark.keep("a mark")); // => a mark
 * console.log(await mark.keep("another mark")); // => a mark
 * ```
 */
export function createLocalStorageMark({ directory }: { readonly directory: string }): StorageMark {
	const path = join(directory, "storage.id");
	const read = async (): Promise<string | null> => {
		const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
			if (error.code === "ENOENT" || error.code === "ENOTDIR") return "";
			throw error;
		});
		return text.trim() || null;
	};
	return {
		read: () => onDisk(read),
		keep: (mark) =>
			onDisk(async () => {
				await makeDurableDirectory(directory);
				const draft = `${path}.${randomUUID()}`;
				try {
					await write(draft, `${mark}\n`);
					await link(draft, path);
					await syncDirectory(directory);
				} catch (error) {
					if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
				} finally {
					await rm(draft, { force: true });
				}
				return (await read()) ?? mark;
			}),
	};
}

async function write(path: string, text: string): Promise<void> {
	const file = await open(path, "wx", 0o600);
	try {
		await file.writeFile(text);
		await file.sync();
	} finally {
		await file.close();
	}
}
