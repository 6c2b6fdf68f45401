import { mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const inMemory = "/dev/shm";
const neededBytes = 2 * 1024 ** 3;

/**
 * Makes a folder for a server whose data may be lost: in memory if the machine has room for it there, otherwise on the
 * disk. In memory a database is copied for a third of the work.
 */
export async function makeTemporaryFolder(prefix: string): Promise<string> {
	return mkdtemp(join((await hasRoom()) ? inMemory : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
	try {
		const { bavail, bsize } = await statfs(inMemory);
		return bavail * bsize >= neededBytes;
	} catch {
		return false;
	}
}
