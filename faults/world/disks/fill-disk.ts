import { open, rm } from "node:fs/promises";
import { join } from "node:path";

/** Leaves no byte free on the file system of `directory` until the returned function is called. */
export async function fillDisk(directory: string): Promise<() => Promise<void>> {
	const path = join(directory, "~filler");
	const file = await open(path, "w");
	try {
		for (const size of [64 * 1024, 1024, 1]) {
			const block = Buffer.alloc(size, 1);
			while (await isWritten(file.write(block)));
		}
	} finally {
		await file.close().catch(() => undefined);
	}
	return () => rm(path, { force: true });
}

const isWritten = (written: Promise<unknown>): Promise<boolean> =>
	written.then(
		() => true,
		() => false,
	);
