import { randomUUID } from "node:crypto";
import { link, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { StorageMark } from "@reelmill/engine/ports";
import { onDisk } from "./disk-error.ts";
import { makeDurableDirectory, syncDirectory } from "./durable-directory.ts";

/**
 * A mark in the file `storage.id` of `directory`, beside what it tells of: the folders of uploads and outputs. It moves
 * with them; where they were moved by other means, copy it as well. Written whole or not at all, and synced.
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
