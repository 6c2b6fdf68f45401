export { s3Ids } from "./s3-ids.ts";
export { createTusDataStore, type TusDataStore, type TusDataStoreOptions } from "./tus-data-store.ts";
