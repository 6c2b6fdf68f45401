import type { UploadStore } from "@reelmill/engine/ports";

/** Two adapters on one empty place, as two servers have them. */
export type UploadStoreSubject = { readonly store: UploadStore; readonly elsewhere: UploadStore };
