import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { fileAt, nullIfMissing } from "../disk/read-bytes.ts";
import { openBareUpload } from "./bare-upload.ts";
import { type KeptOffsets, keptOffset, openSyncedRecord } from "./synced-record.ts";
import type { UploadPaths } from "./upload-paths.ts";

/** Returns the upload's size if this process itself brought it to the disk; null if that isn't known. */
export async function knownSize({ record, bytes }: UploadPaths, kept: KeptOffsets): Promise<number | null> {
	const known = await keptOffset(record, kept);
	return known !== undefined && Number((await fileAt(bytes))?.size ?? -1) >= known ? known : null;
}

/** Brings the upload's size to the disk and returns it; null if there is no upload with a record. */
export async function provenSize({ record, bytes }: UploadPaths, kept: KeptOffsets): Promise<number | null> {
	const opened = await openSyncedRecord(record, kept).catch(nullIfMissing);
	if (opened === null) return null;
	try {
		const recorded = await opened.read();
		const file = await open(bytes, constants.O_RDONLY).catch(nullIfMissing);
		if (file === null) return null;
		try {
			const { size } = await file.stat();
			if (recorded > size) await file.datasync();
			else if (recorded > 0) await opened.keep(recorded);
			return Math.min(recorded, size);
		} finally {
			await file.close();
		}
	} finally {
		await opened.close();
	}
}

/** Brings the bytes of an upload without a record to the disk and returns how many they are; null if there are none. */
export async function bareSize(paths: UploadPaths): Promise<number | null> {
	const file = await openBareUpload(paths);
	if (file === null) return null;
	try {
		return (await file.stat()).size;
	} finally {
		await file.close();
	}
}
