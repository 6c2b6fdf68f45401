import { constants } from "node:fs";
import { type FileHandle, link, mkdir, open, rename, rm, unlink } from "node:fs/promises";
import { syncDirectory } from "../disk/durable-directory.ts";
import { isMissing } from "../disk/read-bytes.ts";
import { type KeptOffsets, openSyncedRecord } from "./synced-record.ts";
import { filesIn, type UploadPaths } from "./upload-paths.ts";

/**
 * Opens the bytes of an upload without a record, and syncs them; returns null if there is no such upload. Nobody knows
 * how many of the bytes were synced before, so all that are there count from now on.
 */
export async function openBareUpload({ bareFile }: UploadPaths): Promise<FileHandle | null> {
	const file = await open(bareFile, constants.O_RDWR).catch((error: unknown) => {
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
 * Gives an upload without a record one; returns false if there is no such upload. If the process is killed meanwhile,
 * the upload is either unchanged or converted.
 */
export async function convertBareUpload(root: string, paths: UploadPaths, kept: KeptOffsets): Promise<boolean> {
	const file = await openBareUpload(paths);
	if (file === null) return false;
	try {
		const { size } = await file.stat();
		await rm(paths.converting, { recursive: true, force: true });
		await mkdir(paths.converting, { mode: 0o700 });
		const made = filesIn(paths.converting);
		await link(paths.bareFile, made.bytes);
		const record = await openSyncedRecord(made.record, kept, { create: true });
		await record.keep(size).finally(record.close);
		await syncDirectory(made.directory);
		await rename(made.directory, paths.directory);
		await syncDirectory(root);
		await unlink(paths.bareFile);
		return true;
	} finally {
		await file.close();
	}
}
