export { DirectoryInUseError, type DirectoryLock, lockDirectory } from "./directory-lock.ts";
export { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from "./embedded-postgres.ts";
export { CannotLockError } from "./file-lock.ts";
