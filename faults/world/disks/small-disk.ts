import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { fillDisk } from "./fill-disk.ts";

const run = promisify(execFile);

/** A disk in memory, small enough to be filled. */
export type SmallDisk = {
	readonly directory: string;
	/** It is a disk of its own. Only root may mount one; otherwise the directory lies on a large disk. */
	readonly canBeFilled: boolean;
	/** Leaves no byte free until the returned function is called. */
	fill(): Promise<() => Promise<void>>;
	close(): Promise<void>;
};

export async function openSmallDisk(directory: string, megabytes: number): Promise<SmallDisk> {
	await mkdir(directory, { recursive: true });
	const canBeFilled = await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", directory]).then(
		() => true,
		() => false,
	);
	return {
		directory,
		canBeFilled,
		fill: () => fillDisk(directory),
		async close() {
			if (canBeFilled) await run("umount", ["-l", directory]);
		},
	};
}
