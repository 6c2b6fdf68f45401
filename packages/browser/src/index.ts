export {
	type Codec,
	createPlayer,
	type KeySource,
	type PlaybackKeyAnswer,
	type Player,
	PlayerError,
	type PlayerErrorCode,
	type PlayerOptions,
	type PlayerState,
} from "./player.ts";
export {
	type CreateUploadOptions,
	createUpload,
	type StorageLike,
	type Store,
	type UploadController,
	type UploadState,
	type UploadStatus,
} from "./upload.ts";
