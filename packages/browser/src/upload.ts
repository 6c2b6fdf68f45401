export { type CreateUploadOptions, createUpload, type UploadController } from "./create-upload.ts";
export type { Store } from "./store.ts";
export type { StorageLike } from "./upload-record.ts";
export type { InitiatedUpload, UploadRequest } from "./upload-request.ts";
export { durationOf, type UploadSource } from "./upload-source.ts";
export type { UploadEnd, UploadState, UploadStatus } from "./upload-state.ts";
export {
	createUploader,
	type Uploader,
	type UploaderItem,
	type UploaderOptions,
	type UploaderState,
} from "./uploader.ts";
