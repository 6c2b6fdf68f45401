import type { UploadStore } from "@reelmill/engine/ports";

/** Two adapters on one empty place, as two servers have them. */
export type UploadStoreSubject = {
	readonly store: UploadStore;
	readonly elsewhere: UploadStore;
	/**
	 * Of an adapter that declares `failing`: what `use` writes can't be made durable. A disk's syncs fail, a bucket
	 * refuses.
	 */
	readonly whileFailing?: (use: () => Promise<void>) => Promise<void>;
};
