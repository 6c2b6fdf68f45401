export { removeUntouched, timePrefix } from "./disk/untouched-files.ts";
export type { LocalObjectStorage, LocalObjectStorageOptions } from "./objects/object-storage.ts";
export { createLocalObjectStorage } from "./objects/object-storage.ts";
export { createLocalStorageMark } from "./storage-mark.ts";
export type { LocalUploadStoreOptions } from "./uploads/upload-store.ts";
export { createLocalUploadStore } from "./uploads/upload-store.ts";
