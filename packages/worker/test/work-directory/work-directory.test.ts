import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorkDirectory } from "../../src/work-directory/work-directory.ts";

let directory: string;
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-work-"));
});
afterEach(() => rm(directory, { recursive: true }));

/** Makes the folder of a job in another container. Its process's number means nothing here. */
async function makeForeign(): Promise<string> {
	const name = "job-999999999-7-in00000000-abcdef";
	await mkdir(join(directory, name));
	await writeFile(join(directory, name, "source.mp4"), "");
	return name;
}

it("keeps the folder of a process in another container as long as it is touched, then removes it", async () => {
	const name = await makeForeign();
	await createWorkDirectory({ directory, keptBytes: 0 }).tidy();
	expect(await readdir(directory)).toEqual([name]);
	const impatient = createWorkDirectory({ directory, keptBytes: 0, untouchedMilliseconds: 50 });
	await expect
		.poll(async () => {
			await impatient.tidy();
			return readdir(directory);
		})
		.toEqual([]);
});
