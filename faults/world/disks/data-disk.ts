import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { mountImage, openDiskImage } from "@reelmill/fault-disk";
import { fillDisk } from "./fill-disk.ts";
import { openSmallDisk } from "./small-disk.ts";

/** The disk of the servers' data: a file system in an image, which is kept in memory. */
export type DataDisk = {
	readonly directory: string;
	/** It is small enough to be filled. Only root may mount such a disk. */
	readonly canBeFilled: boolean;
	/** It is in an image, which needs loop devices. */
	readonly canBeCopied: boolean;
	/** Leaves no byte free until the returned function is called. */
	fill(): Promise<() => Promise<void>>;
	/** Makes a disk with what a power cut at this moment would leave. */
	copy(): Promise<{ readonly directory: string; close(): Promise<void> }>;
	close(): Promise<void>;
};

const megabytes = 128;

export async function openDataDisk(directory: string): Promise<DataDisk> {
	const memory = await openSmallDisk(directory, 4 * megabytes);
	const image = memory.canBeFilled
		? await openDiskImage({ directory: join(directory, "disk"), megabytes }).catch(() => null)
		: null;
	const home = image?.directory ?? join(directory, "disk");
	await mkdir(home, { recursive: true });
	let copies = 0;
	return {
		directory: home,
		canBeFilled: memory.canBeFilled,
		canBeCopied: image !== null,
		fill: () => fillDisk(home),
		async copy() {
			const path = join(directory, `copy-${++copies}`);
			await image?.copyTo(`${path}.img`);
			const copy = await mountImage(`${path}.img`, path);
			return {
				directory: path,
				async close() {
					await copy.unmount();
					await rm(`${path}.img`, { force: true });
				},
			};
		},
		async close() {
			await image?.unmount();
			await memory.close();
		},
	};
}
