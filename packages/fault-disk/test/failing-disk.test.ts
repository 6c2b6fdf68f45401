import { mkdtemp, open, readFile, rm, stat, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FailingDisk, mountImage, openFailingDisk } from "../src/index.ts";

const isRoot = process.getuid?.() === 0;
const block = 4096;
let directory: string;
let disk: FailingDisk;

beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-failing-disk-"));
	if (isRoot) disk = await openFailingDisk({ directory: join(directory, "disk"), megabytes: 16 });
});
afterAll(async () => {
	await disk?.unmount();
	await rm(directory, { recursive: true, force: true });
});

async function copied(name: string): Promise<Buffer> {
	await disk.copyTo(join(directory, "copy.img"));
	const copy = await mountImage(join(directory, "copy.img"), join(directory, "copy"));
	const bytes = await readFile(join(copy.directory, name));
	await copy.unmount();
	return bytes;
}

test.runIf(isRoot)(
	"a sync fails once, its bytes aren't on the disk, and they can be written again after the file is cut",
	async () => {
		const file = await open(join(disk.directory, "file"), "w+");
		const append = async (byte: number): Promise<void> => {
			await file.write(Buffer.alloc(10 * block, byte), 0, 10 * block, 5 * block);
			await file.datasync();
		};
		await file.write(Buffer.alloc(5 * block, 1));
		await file.datasync();
		await disk.fail();
		await expect(append(2)).rejects.toMatchObject({ code: "ENOSPC" });
		await file.datasync();
		expect((await readFile(join(disk.directory, "file"))).filter((byte) => byte === 2).length).toBe(10 * block);
		await disk.heal();
		await file.datasync();
		expect((await copied("file")).filter((byte) => byte === 2).length).toBe(0);
		await file.truncate(5 * block);
		await append(3);
		expect(await copied("file")).toEqual(Buffer.concat([Buffer.alloc(5 * block, 1), Buffer.alloc(10 * block, 3)]));
		await file.close();
	},
);

test.runIf(isRoot)("a sync fails if there is room for a part of its bytes, and for no more", async () => {
	const file = await open(join(disk.directory, "part"), "w");
	await disk.fail();
	const filler = join(directory, "disk.memory/filler");
	await truncate(filler, (await stat(filler)).size - 10 * block);
	await file.write(Buffer.alloc(64 * block, 1));
	await expect(file.datasync()).rejects.toMatchObject({ code: "ENOSPC" });
	await disk.heal();
	await file.close();
});
