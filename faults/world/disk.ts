import { execFile } from "node:child_process";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A disk of its own for the service's data. */
export type Disk = {
	readonly directory: string;
	/** Whether it can be filled: only as root can a small file system be mounted. */
	readonly canBeFilled: boolean;
	/** Leaves not a byte free, until the function that it answers is called. */
	fill(): Promise<() => Promise<void>>;
	unmount(): Promise<void>;
};

export async function openDisk(directory: string, megabytes: number): Promise<Disk> {
	await mkdir(directory, { recursive: true });
	const canBeFilled = await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", directory]).then(
		() => true,
		() => false,
	);
	return {
		directory,
		canBeFilled,
		async fill() {
			const path = join(directory, "~filler");
			const file = await open(path, "w");
			const block = Buffer.alloc(64 * 1024, 1);
			for (const part of [block, block.subarray(0, 1024), block.subarray(0, 1)]) {
				while (await file.write(part).then(...({ ok: [() => true, () => false] } as const).ok));
			}
			await file.close();
			return () => rm(path, { force: true });
		},
		async unmount() {
			if (canBeFilled) await run("umount", ["-l", directory]);
		},
	};
}
