import type { OperationName } from "@reelmill/contracts";

/**
 * Operations of the contract that have no handler yet: they aren't mounted and answer 404 `not_found`. The list only
 * shrinks.
 */
export const unserved = [
	"listConsoleAccounts",
	"disableConsoleAccount",
	"enableConsoleAccount",
	"updateConsoleAccount",
	"createConsoleSession",
	"startOauth",
	"completeOauth",
	"getConsoleSession",
	"deleteConsoleSession",
] as const satisfies readonly OperationName[];
export type UnservedName = (typeof unserved)[number];

/** Operations that the Node listener serves itself, on the raw server: bytes in or out. */
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
	"getTranscriptFile",
	"getStoryboard",
	"getStoryboardImage",
	"getJobSource",
	"putJobOutputs",
	"getJobPart",
] as const satisfies readonly OperationName[];

/** Pages and documents beside the JSON operations. */
export const servedPages = ["getOpenApi", "getWholeOpenApi", "getDocs"] as const satisfies readonly OperationName[];

/** Served on the operations port, which belongs to the application, not to this package. */
export const servedElsewhere = ["getReady", "getMetrics"] as const satisfies readonly OperationName[];
