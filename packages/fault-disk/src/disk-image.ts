import { execFile } from "node:child_process";
import { mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);

export type MountedImage = {
	/** Where the file system is mounted. */
	readonly directory: string;
	/** Copies the device as it is at this moment, which is what a power cut would leave. Replaces `path`. */
	copyTo(path: string): Promise<void>;
	/** Unmounts the file system, even if programs still have files open in it. The image stays. */
	unmount(): Promise<void>;
};

/** Makes an ext4 file system in `directory`, in an image beside it (`<directory>.img`). Only root may do so. */
export async function openDiskImage({
	directory,
	megabytes,
}: {
	directory: string;
	megabytes: number;
}): Promise<MountedImage> {
	const image = `${directory}.img`;
	await rm(image, { force: true });
	await writeFile(image, "");
	await truncate(image, megabytes * 1024 * 1024);
	await run("mkfs.ext4", ["-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", image]);
	return mountImage(image, directory);
}

/**
 * Mounts an image, or a copy of one. Its journal is replayed, as after a power cut. Rejects if the file system is
 * damaged.
 */
export async function mountImage(image: string, directory: string): Promise<MountedImage> {
	await mkdir(directory, { recursive: true });
	await run("mount", ["-o", "loop", image, directory]);
	return {
		directory,
		async copyTo(path) {
			// A copy that was mounted before may still have its loop device, and mount takes that for a file of its name.
			await rm(path, { force: true });
			await run("cp", ["--sparse=always", "--reflink=auto", image, path]);
		},
		async unmount() {
			await run("umount", ["-l", directory]);
		},
	};
}
