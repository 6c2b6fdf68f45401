import { mkdir, open } from "node:fs/promises";
import { dirname, resolve } from "node:path";

/** Brings a file's bytes, or a directory's names, to the disk. */
export async function syncPath(path: string): Promise<void> {
	const handle = await open(path);
	try {
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Makes `directory` and the missing directories above it, readable only by their owner. They survive a power cut. */
export async function makeDirectories(directory: string): Promise<void> {
	const first = await mkdir(directory, { recursive: true, mode: 0o700 });
	if (first === undefined) return;
	for (let at = resolve(directory); at !== dirname(resolve(first)); at = dirname(at)) await syncPath(dirname(at));
}
