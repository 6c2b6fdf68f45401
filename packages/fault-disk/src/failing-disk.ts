import { execFile } from "node:child_process";
import { mkdir, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { type MountedImage, mountImage } from "./disk-image.ts";

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

export type FailingDisk = MountedImage & {
	/**
	 * Makes the device fail each write to a block that no file had before: syncs of new bytes fail with EIO, once, and
	 * the kernel drops the bytes.
	 */
	fail(): Promise<void>;
	heal(): Promise<void>;
};

/**
 * Makes an ext4 file system whose device fails on command, by the kernel's own doing. The image lies in memory
 * (`<directory>.memory`), without the blocks that no file has, and finds no room for them. Its journal and its records
 * of files have room. Only root may make it.
 */
export async function openFailingDisk({
	directory,
	megabytes,
}: {
	directory: string;
	megabytes: number;
}): Promise<FailingDisk> {
	const memory = `${directory}.memory`;
	await mkdir(memory, { recursive: true });
	await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes + 1}m`, "none", memory]);
	const image = `${memory}/disk.img`;
	await writeFile(image, "");
	await truncate(image, megabytes * mebibyte);
	await run("mkfs.ext4", ["-q", "-m", "0", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0", image]);
	await writeWhole(image, megabytes);
	const disk = await mountImage(image, directory);
	const restore = await writeBlockByBlock(directory);
	await run("fstrim", [directory]);
	const filler = `${memory}/filler`;
	return {
		...disk,
		async fail() {
			const filling = await open(filler, "w");
			const block = Buffer.alloc(mebibyte);
			for (const size of [mebibyte, 4096]) while (await filling.write(block, 0, size).then(...succeeds)) void 0;
			await filling.close();
		},
		heal: () => rm(filler, { force: true }),
		async unmount() {
			await restore();
			await disk.unmount();
			await run("umount", ["-l", memory]);
		},
	};
}

/**
 * Makes each request to the device one block, until the returned function is called. Of a longer request that finds
 * room for its beginning alone, the kernel's loop device says that it was done.
 */
async function writeBlockByBlock(directory: string): Promise<() => Promise<void>> {
	const { stdout } = await run("findmnt", ["-n", "-o", "SOURCE", directory]);
	const limit = `/sys/block/${basename(stdout.trim())}/queue/max_sectors_kb`;
	const former = await readFile(limit, "utf8");
	await writeFile(limit, "4");
	return () => writeFile(limit, former);
}

/** Writes the image's bytes over themselves, so that each of its blocks has room. */
async function writeWhole(image: string, megabytes: number): Promise<void> {
	const file = await open(image, "r+");
	const block = Buffer.alloc(mebibyte);
	for (let at = 0; at < megabytes; at++) {
		await file.read(block, 0, mebibyte, at * mebibyte);
		await file.write(block, 0, mebibyte, at * mebibyte);
	}
	await file.close();
}

const succeeds = [() => true, () => false] as const;
