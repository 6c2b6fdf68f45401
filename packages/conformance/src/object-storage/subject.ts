import type { ObjectStorage } from "@reelmill/engine/ports";

/** Two adapters on one empty storage, as two servers have them. */
export type ObjectStorageSubject = { readonly storage: ObjectStorage; readonly elsewhere: ObjectStorage };
