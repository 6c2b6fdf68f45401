import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** The beginning of the names of its files. A killed process leaves such a file behind. */
export const tryPrefix = "~ready-";
/** A block. Some file systems keep smaller files beside their names, and can do so even if the disk is full. */
const block = Buffer.alloc(4096);

/**
 * Writes and syncs one block to a new file in the directory, and removes the file. Rejects with the system's error if
 * the disk takes no writes.
 */
export async function tryDisk(directory: string): Promise<void> {
	const path = join(directory, tryPrefix + randomUUID());
	try {
		const file = await open(path, "wx", 0o600);
		try {
			await file.writeFile(block);
			await file.sync();
		} finally {
			await file.close();
		}
	} finally {
		await rm(path, { force: true });
	}
}
