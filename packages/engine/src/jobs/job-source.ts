import { ReelmillError } from "@reelmill/contracts";
import type { ByteRange, Bytes } from "../ports/index.ts";
import { type OwnedStores, recordedBytes } from "../storage/index.ts";
import type { VideoRecord } from "../videos/index.ts";
import { startBytes } from "./started-bytes.ts";

/**
 * A file that a worker fetches. `elsewhere`, where the storage has such an address, is where a GET finds it without
 * other credentials for a quarter of an hour, and who named the place: a tenant's may lead anywhere, and is followed
 * through a guard alone. Otherwise it is null, and `read` gives the bytes.
 */
export type JobSource = {
	readonly size: number;
	readonly contentType: string;
	readonly elsewhere: { readonly url: string; readonly owner: "platform" | "tenant" } | null;
	read(range?: ByteRange): Promise<Bytes>;
};

/** A download that is cut asks for a new address, so this need only last until it has begun. */
const presignedSeconds = 900;

/**
 * The raw upload. Throws `file_not_found` where it is gone or not whole, and `storage_backend_unsupported` where its
 * storage gives neither bytes nor an address.
 */
export async function uploadedFile(
	{ uploads, owner }: OwnedStores,
	{ id, state, content_type, file_size }: VideoRecord,
): Promise<JobSource> {
	const { presign, download } = uploads.capabilities;
	if (!presign && !download) throw new ReelmillError("storage_backend_unsupported");
	const size = await uploads.size(id);
	if (size === null || state === "pending_upload") throw new ReelmillError("file_not_found");
	// A storage that was restored to a time before the last bytes came: no worker can wait for these.
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
				// Whoever ended the job removes its upload, perhaps since it was looked up.
				throw (await uploads.size(id)) === null ? new ReelmillError("file_not_found", { cause: error }) : error;
			});
		},
	};
}

const lengthOf = (size: number, range: ByteRange | undefined): number =>
	range === undefined ? size : Math.min(range.end, size - 1) - range.start + 1;

/**
 * A file among outputs. Throws `file_not_found` where it is gone, or not the file that was recorded with this `size`,
 * and `storage_backend_unsupported` where its storage gives neither bytes nor an address.
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
