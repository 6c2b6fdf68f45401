export * from "./player.ts";
export * from "./uploader.ts";
