import { ReelmillError } from "@reelmill/contracts";
import type { ByteRange, Bytes } from "../../ports/index.ts";
import { type OwnedStores, recordedBytes } from "../../storage/index.ts";
import { folderOf, type StoredOutputs, type VideoRecord } from "../../videos/index.ts";
import { startBytes } from "./started-bytes.ts";

/** A file that a worker fetches. */
export type JobSource = {
	/** In bytes. */
	readonly size: number;
	readonly contentType: string;
	/**
	 * A URL from which the file can be fetched for 15 minutes without other credentials, and who chose the place; null if
	 * the storage has no such URL. A tenant's URL may lead anywhere: it must only be followed through the guard for
	 * outside addresses.
	 */
	readonly elsewhere: { readonly url: string; readonly owner: "platform" | "tenant" } | null;
	/** Returns the bytes of `range` (default: all). */
	read(range?: ByteRange): Promise<Bytes>;
};

/** Long enough to begin a download: a worker whose download breaks asks for a new URL. */
const presignedSeconds = 900;

/**
 * Returns the raw upload.
 *
 * @throws {ReelmillError} `file_not_found` when it is gone or not whole; `storage_backend_unsupported` when its storage
 * gives neither bytes nor a URL.
 */
export async function uploadedFile(
	{ uploads, owner }: OwnedStores,
	{ id, state, content_type, file_size }: VideoRecord,
): Promise<JobSource> {
	const { presign, download } = uploads.capabilities;
	if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
	const size = await uploads.size(id);
	if (size === null || state === "pending_upload") throw new ReelmillError("file_not_found");
	// The storage was restored to a time before the last bytes came. They won't come again.
	if (size !== file_size)
		throw new ReelmillError("file_not_found", {
			message: `The storage has ${size} of the upload's ${file_size} bytes.`,
		});
	return {
		size,
		contentType: content_type,
		elsewhere: presign ? { url: await uploads.presign(id, { seconds: presignedSeconds }), owner } : null,
		async read(range) {
			const found = await uploads.read(id, range);
			if (found === null) throw new ReelmillError("file_not_found");
			const bytes = await recordedBytes(found, size, lengthOf(size, range));
			return startBytes(bytes).catch(async (error: unknown) => {
				// The job may have ended since its upload was looked up; then the upload is removed.
				throw (await uploads.size(id)) === null ? new ReelmillError("file_not_found", { cause: error }) : error;
			});
		},
	};
}

const lengthOf = (size: number, range: ByteRange | undefined): number =>
	range === undefined ? size : Math.min(range.end, size - 1) - range.start + 1;

/**
 * Returns a file among outputs, which was recorded with this `size`.
 *
 * @throws {ReelmillError} `file_not_found` when it is gone or has another size; `storage_backend_unsupported` when its
 * storage gives neither bytes nor a URL.
 */
export async function storedFile(
	{ outputs, owner }: OwnedStores,
	{ key, size, contentType }: { key: string; size: number; contentType: string },
): Promise<JobSource> {
	const { presign, download } = outputs.capabilities;
	if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
	const found = await outputs.head(key);
	if (found === null) throw new ReelmillError("file_not_found");
	if (found.size !== size)
		throw new ReelmillError("file_not_found", {
			message: `The storage has ${found.size} bytes where ${size} were stored.`,
		});
	return {
		size,
		contentType,
		elsewhere: presign
			? { url: await outputs.presign(key, { method: "GET", seconds: presignedSeconds }), owner }
			: null,
		async read(range) {
			const found = await outputs.get(key, range);
			if (found === null) throw new ReelmillError("file_not_found");
			return recordedBytes(found, size, lengthOf(size, range));
		},
	};
}

/**
 * Returns a finished file of a video, an MP4, by its path.
 *
 * @throws {ReelmillError} As `storedFile`; `file_not_found` for `null`.
 */
export async function finishedFile(
	stores: OwnedStores,
	outputs: Pick<StoredOutputs, "prefix" | "added" | "files">,
	path: string | null,
): Promise<JobSource> {
	if (path === null) throw new ReelmillError("file_not_found");
	const key = folderOf(outputs, path) + path;
	return storedFile(stores, { key, size: outputs.files[path] as number, contentType: "video/mp4" });
}
