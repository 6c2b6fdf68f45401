export type * from "./bucket-opener.ts";
export * from "./database.ts";
export type * from "./object-storage.ts";
export type * from "./rate-limiter.ts";
export * from "./storage-error.ts";
export type * from "./system.ts";
export type * from "./upload-store.ts";
export type * from "./webhook-transport.ts";
