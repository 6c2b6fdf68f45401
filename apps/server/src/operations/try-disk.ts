import { randomUUID } from "node:crypto";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** What the names of its files begin with; those of a killed process are leftovers. */
export const tryPrefix = "~ready-";
/** A block: what is smaller some file systems keep beside the name, also when they are full. */
const block = Buffer.alloc(4096);

/**
 * Resolves when a new file in the directory has taken a block, synced; nothing of it is left then. Rejects with the
 * system's error.
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
