export { createFrames, type Frames } from "./frames.ts";
export { checkDeclaration, newRecord } from "./initiate.ts";
export {
	type Command,
	type Decision,
	decide,
	isProcessing,
	isWorked,
	moves,
	processingStates,
	target,
	workedStates,
} from "./machine.ts";
export {
	chunksPrefix,
	folderOf,
	isAdded,
	isPublic,
	type JobRecord,
	type StoredOutputs,
	soundFile,
	type VideoRecord,
} from "./record.ts";
export { removal } from "./removal.ts";
export { createReserve, type Reserve, type UploadClaims } from "./reserve.ts";
export { type Discard, eventPart, noteDiscard } from "./save.ts";
export { createVideoStore, type Saved, type Step, type VideoStore } from "./store.ts";
export { type AfterChange, createVideos, type Videos } from "./videos.ts";
export { createFileUrl, type FileUrl, viewVideo } from "./view.ts";
