import { join } from "node:path";
import { type BucketOpener, StorageError } from "@reelmill/engine/ports";
import { createSqliteObjectStorage } from "./object-storage.ts";
import { openSqliteFile } from "./sqlite-file.ts";
import { createSqliteUploadStore } from "./upload-store.ts";

export type SqliteBucketOpenerOptions = {
	/**
	 * The folder of the files: the bucket `cold` is `cold.sqlite` in it. The operator makes each file; an empty one will
	 * do.
	 */
	readonly directory: string;
	/** For storages that only take bytes. */
	readonly writeOnly?: boolean;
};

/**
 * Offers SQLite files as the platform's locations. A tenant names no file of ours, so a bucket of a tenant is refused.
 */
export function createSqliteBucketOpener({ directory, writeOnly = false }: SqliteBucketOpenerOptions): BucketOpener {
	return {
		open({ owner, bucket, keyPrefix }) {
			if (owner !== "platform") throw new StorageError("bucket", "Only the platform has storages of this kind");
			if (!/^[a-z0-9-]+$/.test(bucket))
				throw new StorageError("bucket", "The name isn't one of small letters, digits and hyphens");
			const file = openSqliteFile(join(directory, `${bucket}.sqlite`), { mustExist: true });
			return {
				uploads: createSqliteUploadStore(file, { writeOnly }),
				outputs: createSqliteObjectStorage(file, { keyPrefix, writeOnly }),
				async fetchPresigned() {
					throw new TypeError("A SQLite file has no URLs to follow");
				},
				async close() {
					file.close();
				},
			};
		},
	};
}
