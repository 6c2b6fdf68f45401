import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { syncDirectory } from "./durable-directory.ts";
import { isMissing } from "./read-bytes.ts";
import { type KeptOffsets, openSyncedRecord } from "./synced-record.ts";
import { filesIn, type UploadPaths } from "./upload-paths.ts";

/**
 * The bytes of an upload without a record, synced. Nobody knows how many of them were, so that all that are there count
 * from now on. Null where there is no such upload.
 */
export async function openFormerUpload({ former }: UploadPaths): Promise<FileHandle | null> {
	const file = await open(former, constants.O_RDWR).catch((error: unknown) => {
		if (isMissing(error)) return null;
		throw error;
	});
	try {
		await file?.datasync();
		return file;
	} catch (error) {
		await file?.close();
		throw error;
	}
}

/**
 * Gives an upload without a record one. False where there is no such upload. Whoever is killed meanwhile leaves it as
 * it was, or done.
 */
export async function adoptFormerUpload(root: string, paths: UploadPaths, kept: KeptOffsets): Promise<boolean> {
	const file = await openFormerUpload(paths);
	if (file === null) return false;
	try {
		const { size } = await file.stat();
		await rm(paths.adopting, { recursive: true, force: true });
		await mkdir(paths.adopting, { mode: 0o700 });
		const made = filesIn(paths.adopting);
		await link(paths.former, made.bytes);
		const record = await openSyncedRecord(made.record, kept, { create: true });
		await record.keep(size).finally(record.close);
		await syncDirectory(made.directory);
		await rename(made.directory, paths.directory);
		await syncDirectory(root);
		await unlink(paths.former);
		return true;
	} finally {
		await file.close();
	}
}
