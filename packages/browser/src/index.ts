export { createPlayer, type Player, type PlayerError, type PlayerOptions, type PlayerState } from "./player.ts";
export { type CreateUploadOptions, createUpload, type StorageLike, type Store, type UploadController, type UploadState, type UploadStatus } from "./upload.ts";
