export { createFrames, type Frames } from "./frames.ts";
export type { UploadClaims } from "./initiate.ts";
export { type Command, type Decision, decide, isProcessing, isWorked, moves, processingStates, target, workedStates } from "./machine.ts";
export type { JobRecord, StoredOutputs, VideoRecord } from "./record.ts";
export { removal } from "./removal.ts";
export type { Discard } from "./save.ts";
export { createVideoStore, type Saved, type Step, type VideoStore } from "./store.ts";
export { type AfterChange, createVideos, type Videos } from "./videos.ts";
export { createFileUrl, type FileUrl, viewVideo } from "./view.ts";
