import type { IsJson } from "./operation.ts";
import {
	createDomain,
	deleteDomain,
	getAdminDomain,
	listDomains,
	requestTranscripts,
	rotateDomainKeyAsAdmin,
	updateDomain,
} from "./operations/admin-domains.ts";
import { listAudit, listDomainAudit } from "./operations/audit.ts";
import {
	completeOauth,
	createConsoleSession,
	deleteConsoleSession,
	getConsoleSession,
	startOauth,
} from "./operations/console.ts";
import {
	disableConsoleAccount,
	enableConsoleAccount,
	listConsoleAccounts,
	updateConsoleAccount,
} from "./operations/console-accounts.ts";
import { getConsoleSignIn } from "./operations/console-sign-in.ts";
import {
	getManifest,
	getMasterPlaylist,
	getMedia,
	getMediaPlaylist,
	getStoryboard,
	getStoryboardImage,
	getThumbnail,
	getTranscriptFile,
	getWebMp4,
} from "./operations/delivery.ts";
import {
	endDomainKey,
	getDomain,
	getLimits,
	getUsage,
	listDomainKeys,
	rotateDomainKey,
	updateDomainConfig,
} from "./operations/domain.ts";
import {
	claimJob,
	claimJobById,
	completeJob,
	failJob,
	getJobPart,
	getJobSource,
	heartbeatJob,
	issueServiceToken,
	nextJobChunk,
	offerJobChunks,
	presignJobOutputs,
	putJobOutputs,
} from "./operations/jobs.ts";
import { getQueue, getSystem, listFailedVideos, listFailures, listJobs, listWorkers } from "./operations/operator.ts";
import { createOutro, deleteOutro, getOutro, listOutros } from "./operations/outros.ts";
import { checkStorage, getStats, listAdminStorageLocations } from "./operations/platform.ts";
import { createPlaybackKey, revokeAllPlaybackKeys, revokePlaybackKeys } from "./operations/playback-keys.ts";
import { createSandboxSession } from "./operations/sandbox.ts";
import { getDocs, getHealth, getMetrics, getOpenApi, getReady, getWholeOpenApi } from "./operations/service.ts";
import {
	createServiceAccount,
	listServiceAccounts,
	revokeServiceAccount,
	rotateServiceAccount,
} from "./operations/service-accounts.ts";
import { deleteStorage, getStorage, listStorageLocations, putStorage, verifyStorage } from "./operations/storage.ts";
import { appendUpload, createUpload, deleteUpload, getUploadOffset } from "./operations/uploads.ts";
import {
	cancelVideo,
	createVideo,
	deleteVideo,
	getFrame,
	getTranscript,
	getVideo,
	getVideoReport,
	listVideos,
	updateVideoVisibility,
} from "./operations/videos.ts";
import {
	getWebhookDelivery,
	listWebhookDeliveries,
	replayWebhookDeliveries,
	replayWebhookDelivery,
	rotateWebhookSecret,
	sendTestWebhook,
} from "./operations/webhooks.ts";

/**
 * Every operation of the product, on all planes. Routes, handlers, clients, OpenAPI and the reference come from this
 * value.
 */
export const api = {
	getHealth,
	getReady,
	getMetrics,
	getOpenApi,
	getWholeOpenApi,
	getDocs,
	getDomain,
	updateDomainConfig,
	rotateDomainKey,
	listDomainKeys,
	endDomainKey,
	getLimits,
	getUsage,
	listDomainAudit,
	createSandboxSession,
	createVideo,
	listVideos,
	getVideo,
	deleteVideo,
	cancelVideo,
	updateVideoVisibility,
	getTranscript,
	getVideoReport,
	getFrame,
	createOutro,
	listOutros,
	getOutro,
	deleteOutro,
	createPlaybackKey,
	revokePlaybackKeys,
	revokeAllPlaybackKeys,
	listWebhookDeliveries,
	getWebhookDelivery,
	replayWebhookDelivery,
	replayWebhookDeliveries,
	sendTestWebhook,
	rotateWebhookSecret,
	listStorageLocations,
	getStorage,
	putStorage,
	deleteStorage,
	verifyStorage,
	createUpload,
	getUploadOffset,
	appendUpload,
	deleteUpload,
	getMasterPlaylist,
	getMediaPlaylist,
	getManifest,
	getMedia,
	getWebMp4,
	getThumbnail,
	getTranscriptFile,
	getStoryboard,
	getStoryboardImage,
	issueServiceToken,
	claimJob,
	claimJobById,
	heartbeatJob,
	getJobSource,
	putJobOutputs,
	presignJobOutputs,
	completeJob,
	failJob,
	offerJobChunks,
	nextJobChunk,
	getJobPart,
	createDomain,
	listDomains,
	getAdminDomain,
	updateDomain,
	deleteDomain,
	rotateDomainKeyAsAdmin,
	requestTranscripts,
	createServiceAccount,
	listServiceAccounts,
	rotateServiceAccount,
	revokeServiceAccount,
	listConsoleAccounts,
	disableConsoleAccount,
	enableConsoleAccount,
	updateConsoleAccount,
	listAdminStorageLocations,
	getStats,
	listAudit,
	getQueue,
	listJobs,
	listWorkers,
	listFailures,
	listFailedVideos,
	getSystem,
	checkStorage,
	getConsoleSignIn,
	createConsoleSession,
	startOauth,
	completeOauth,
	getConsoleSession,
	deleteConsoleSession,
} as const;
export type Api = typeof api;
export type OperationName = keyof Api;
/** The names of the operations that take and return JSON: see `isJsonOperation`. */
export type JsonOperationName = { [K in OperationName]: IsJson<Api[K]> extends true ? K : never }[OperationName];
