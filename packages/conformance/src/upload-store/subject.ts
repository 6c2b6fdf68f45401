import type { UploadStore } from "@reelmill/engine/ports";

/** Two adapters on one empty storage, as two servers have them. */
export type UploadStoreSubject = {
	readonly store: UploadStore;
	readonly elsewhere: UploadStore;
	/**
	 * For adapters that declare `failing`: runs `use` while nothing that it writes can be made durable. A disk's syncs
	 * fail, a bucket refuses.
	 */
	readonly whileFailing?: (use: () => Promise<void>) => Promise<void>;
};
