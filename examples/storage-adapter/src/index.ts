export { createSqliteBucketOpener } from "./bucket-opener.ts";
export { createSqliteObjectStorage } from "./object-storage.ts";
export { openSqliteFile, type SqliteFile } from "./sqlite-file.ts";
export { createSqliteUploadStore } from "./upload-store.ts";
