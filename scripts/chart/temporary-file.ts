import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Hands a file with this text to `work`, and removes it afterwards. */
export async function withTemporaryFile<T>(name: string, text: string, work: (path: string) => Promise<T>): Promise<T> {
	await using directory = await mkdtempDisposable(join(tmpdir(), "reelmill-chart-"));
	const path = join(directory.path, name);
	await writeFile(path, text);
	return await work(path);
}
