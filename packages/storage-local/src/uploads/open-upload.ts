import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { isMissing } from "../disk/read-bytes.ts";
import { convertBareUpload } from "./bare-upload.ts";
import {
	type KeptOffsets,
	keptOffset,
	openSyncedRecord,
	replaceSyncedRecord,
	type SyncedRecord,
} from "./synced-record.ts";
import type { UploadPaths } from "./upload-paths.ts";

export type OpenUpload = {
	readonly file: FileHandle;
	readonly record: SyncedRecord;
	/** How many bytes were synced. The file holds no others. */
	readonly size: number;
	/**
	 * Checks that the upload wasn't discarded: the bytes of a discarded upload have no name, and are gone when they are
	 * closed.
	 *
	 * @throws {RangeError} when the upload was discarded.
	 */
	checkStillThere(): Promise<void>;
	close(): Promise<void>;
};

/**
 * Opens an upload for its one writer, and cuts off what was written but not synced. An earlier writer that still runs,
 * although it was given up as lost, can't raise the upload's size any more.
 *
 * @throws {RangeError} when there is no such upload.
 */
export async function openUpload(root: string, paths: UploadPaths, kept: KeptOffsets): Promise<OpenUpload> {
	const opened: { close(): Promise<void> }[] = [];
	const close = async (): Promise<void> => {
		for (const each of opened.splice(0)) await each.close();
	};
	try {
		const file = await open(paths.bytes, constants.O_RDWR).catch(async (error: unknown) => {
			if (!isMissing(error) || !(await convertBareUpload(root, paths, kept))) throw error;
			return open(paths.bytes, constants.O_RDWR);
		});
		opened.push(file);
		const checkStillThere = (): Promise<void> => checkName(paths.bytes, file);
		const own = await keptOffset(paths.record, kept);
		const isOwn = own !== undefined && own === (await file.stat()).size;
		const size = isOwn ? own : await throwTailAway(paths, file, kept);
		const record = await openSyncedRecord(paths.record, kept);
		opened.push(record);
		// If the upload was made anew in between, the record belongs to the new one.
		await checkStillThere();
		return { file, record, size, checkStillThere, close };
	} catch (error) {
		await close();
		throw isMissing(error) ? new RangeError("There is no such upload", { cause: error }) : error;
	}
}

/**
 * Cuts the file to what was synced, and returns that size. After a failed sync the kernel shows bytes that aren't on
 * the disk, and takes them for written. ext4 loses them even if they are written again and synced, unless the file is
 * cut first. The record is replaced before that, because another process may have written to it or may be about to.
 */
async function throwTailAway(paths: UploadPaths, file: FileHandle, kept: KeptOffsets): Promise<number> {
	const former = await openSyncedRecord(paths.record, kept);
	const look = async () => ({ recorded: await former.read(), size: (await file.stat()).size });
	try {
		const { recorded, size } = await look();
		// There are fewer bytes than were synced if a backup was restored or the file system was repaired.
		if (size < recorded) await file.datasync();
		await replaceSyncedRecord(paths.record, Math.min(size, recorded), kept);
		const late = await look();
		const synced = Math.min(late.size, late.recorded);
		if (late.recorded > recorded) await replaceSyncedRecord(paths.record, synced, kept);
		if (late.size > synced) await file.truncate(synced);
		return synced;
	} finally {
		await former.close();
	}
}

async function checkName(path: string, file: FileHandle): Promise<void> {
	const named = await stat(path, { bigint: true }).catch((error: unknown) => {
		if (isMissing(error)) return null;
		throw error;
	});
	const opened = await file.stat({ bigint: true });
	if (named?.ino !== opened.ino || named.dev !== opened.dev) throw new RangeError("The upload was discarded");
}
