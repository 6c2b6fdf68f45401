export type { LocalObjectStorage, LocalObjectStorageOptions } from "./object-storage.ts";
export { createLocalObjectStorage } from "./object-storage.ts";
export { createLocalStorageMark } from "./storage-mark.ts";
export { removeUntouched, timePrefix } from "./untouched.ts";
export type { LocalUploadStoreOptions } from "./upload-store.ts";
export { createLocalUploadStore } from "./upload-store.ts";
