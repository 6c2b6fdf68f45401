import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Hands a file with this text to `work`, and removes it afterwards. */
export async function withTemporaryFile<T>(name: string, text: string, work: (path: string) => Promise<T>): Promise<T> {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-chart-"));
	try {
		const path = join(directory, name);
		await writeFile(path, text);
		return await work(path);
	} finally {
		await rm(directory, { recursive: true });
	}
}
