import { constants, copyFile, mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import type { Bytes } from "@reelmill/engine/ports";
import type { DiskLanes } from "../disk/disk-lanes.ts";
import { fileAt, isMissing } from "../disk/read-bytes.ts";
import { type WriteOptions, writeBytes } from "../disk/write-bytes.ts";

/** Writes `bytes` to a new file at `path`, syncs it, and returns how many they were. Rejects if they end early. */
export async function writeDraft(
	lanes: DiskLanes,
	path: string,
	bytes: Bytes,
	options: Pick<WriteOptions, "signal" | "release">,
): Promise<number> {
	const file = lanes.through(await lanes.change(() => open(path, "wx", 0o600)));
	try {
		const { end, interruption } = await writeBytes(file, 0, bytes, options);
		if (interruption) throw interruption.reason;
		await file.datasync();
		return end;
	} finally {
		await file.close();
	}
}

/** Copies a file; returns false if there is none. File systems that can let both share their blocks. */
export async function copyDraft(source: string, path: string): Promise<boolean> {
	if ((await fileAt(source)) === null) return false;
	try {
		await copyFile(source, path, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
	} catch (error) {
		if (isMissing(error)) return false;
		throw error;
	}
	const file = await open(path);
	try {
		await file.datasync();
	} finally {
		await file.close();
	}
	return true;
}

/** Renames a draft to `path`. It tries again if a delete that runs meanwhile has removed the empty folder. */
export async function moveDraft(draft: string, path: string): Promise<void> {
	for (let attempt = 1; ; attempt++) {
		try {
			await mkdir(dirname(path), { recursive: true, mode: 0o700 });
			return await rename(draft, path);
		} catch (error) {
			if (attempt === 100 || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		}
	}
}
