import type { OperationName } from "@reelmill/contracts";

/** Operations that the Node listener serves on the raw server, because they take or send bytes. */
export const servedRaw = [
	"createUpload",
	"getUploadOffset",
	"appendUpload",
	"deleteUpload",
	"getMasterPlaylist",
	"getMediaPlaylist",
	"getManifest",
	"getMedia",
	"getWebMp4",
	"getThumbnail",
	"getPoster",
	"getPreview",
	"getTranscriptFile",
	"getCaptions",
	"getChapters",
	"getChapterData",
	"getStoryboard",
	"getStoryboardImage",
	"getJobSource",
	"putJobOutputs",
	"getJobPart",
] as const satisfies readonly OperationName[];

/** Pages and documents besides the JSON operations. */
export const servedPages = [
	"getOpenApi",
	"getOperatorsOpenApi",
	"getWorkersOpenApi",
	"getConsoleOpenApi",
	"getWholeOpenApi",
	"getDocs",
] as const satisfies readonly OperationName[];

/** Operations of the operations port. The application serves them, not this package. */
export const servedElsewhere = ["getReady", "getMetrics"] as const satisfies readonly OperationName[];
