export { auditedFor } from "./audited-for.ts";
export { eventOf } from "./event.ts";
export type { Frames } from "./frames.ts";
export { checkDeclaration, type Initiate, newRecord } from "./initiate.ts";
export { metadataOf } from "./metadata-of.ts";
export {
	attemptPrefix,
	bytesIn,
	chunkFolder,
	chunksPrefix,
	folderOf,
	isAdded,
	isCopied,
	isPublic,
	type JobRecord,
	pictureFile,
	posterFiles,
	readShown,
	type ShownRow,
	type StoredCaptions,
	type StoredOutputs,
	type StoredPoster,
	selectShown,
	sentPicture,
	soundFile,
	type VideoRecord,
} from "./record.ts";
export { removal } from "./removal.ts";
export { type FindReserved, MadeOfChanged, type Reserve, type Reserved } from "./reserve.ts";
export {
	type AttemptEnd,
	asksForUpdates,
	type Discard,
	discardMoments,
	eventPart,
	hastenDiscard,
	noteDiscard,
	unnotePart,
} from "./save.ts";
export {
	type Command,
	type Decision,
	decide,
	isProcessing,
	isWorked,
	moves,
	processingStates,
	target,
	undeletableStates,
	workedStates,
} from "./state-machine.ts";
export type { Changes, Saved, Step, VideoStore } from "./store.ts";
export type { UploadClaims } from "./upload-ticket.ts";
export { createDigestUploader, type DigestUploader } from "./uploader-digest.ts";
export { type AfterChange, createVideos, type Videos } from "./videos.ts";
export { type FileUrl, viewShown, viewVideo } from "./view.ts";
