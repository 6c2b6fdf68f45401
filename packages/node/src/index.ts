export {
	ConnectionError,
	contentTypeOf,
	type ErrorCode,
	isReelmillError,
	type Observers,
	type ReceivedResponse,
	ReelmillError,
	type RetryOptions,
	type SentRequest,
} from "@reelmill/client";
export type {
	AdminStorageLocation,
	AuditAction,
	AuditEntry,
	CaptionKind,
	CaptionSource,
	Captions,
	Chapter,
	Chapters,
	CheckRequest,
	CheckStep,
	Clip,
	ConsoleAccount,
	CreatedDomain,
	CreatedOutro,
	CreatedServiceAccount,
	CreatedVideo,
	DeliveryType,
	Difference,
	DifferenceKind,
	Domain,
	DomainConfigPatch,
	DomainKeyList,
	HeardEvents,
	Import,
	ImportStatus,
	KeyRotation,
	LimitsView,
	ListedVideo,
	Outro,
	PlaybackEpoch,
	PlaybackKey,
	PlaybackRevocation,
	Poster,
	ReplayAnswer,
	RequestedTranscripts,
	RotatedServiceAccount,
	SandboxSession,
	ServiceAccount,
	Stats,
	StorageLocation,
	StoragePlace,
	StorageProfile,
	StorageVerification,
	StorageView,
	Transcript,
	TriggerAnswer,
	UpdateMetadata,
	Usage,
	UsageDays,
	Video,
	VideoCancelledEvent,
	VideoCounts,
	VideoExpiredEvent,
	VideoFailedEvent,
	VideoMetadata,
	VideoOutputs,
	VideoReadyEvent,
	VideoReport,
	VideoState,
	VideoTimeline,
	VideoUpdatedEvent,
	Visibility,
	WebhookDelivery,
	WebhookDeliveryDetail,
	WebhookEvent,
	WebhookSecretRotation,
	WebhookTestEvent,
} from "@reelmill/contracts";
export { askedEventsHeader, isKnownEvent, type ReceivedEvent, type UnknownEvent } from "@reelmill/contracts/events";
export { signWebhook, type VerificationFailure, WebhookVerificationError } from "@reelmill/webhooks";
export { type AdminListOptions, createReelmillAdmin, type ReelmillAdmin, type ReelmillAdminOptions } from "./admin.ts";
export type { AdminAuditLog, AuditFilter, AuditLog } from "./audit.ts";
export type { CaptionsResource, PutCaptionsInput } from "./captions.ts";
export type { ChaptersResource } from "./chapters.ts";
export type { Clips } from "./clips.ts";
export type { DomainResource, Limits, RotateKeyOptions, UsageDaysOptions, UsageResource } from "./domain.ts";
export type { Imports } from "./imports.ts";
export type { InitiatedVideo, InitiateOptions } from "./initiate-or-resume.ts";
export type { Outros } from "./outros.ts";
export type { Listed, Page, PageOptions } from "./pages.ts";
export type { PlaybackKeys } from "./playback-keys.ts";
export type { PostersResource, PutPosterInput } from "./posters.ts";
export { createReelmill, type Reelmill, type ReelmillOptions, type ReelmillWithSecret } from "./reelmill.ts";
export type { StorageResource } from "./storage.ts";
export type { CreateVideoInput, HeldTicket, TicketStore } from "./tickets.ts";
export type { OutroUploadInput, UploadInput, UploadOptions } from "./upload.ts";
export type { Person, UploadDescription, UploadRoutesOptions } from "./upload-routes/options.ts";
export { uploadRoutes } from "./upload-routes/upload-routes.ts";
export type { ByteStream, UploadSource } from "./upload-source.ts";
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from "./verify-webhook.ts";
export type { CallOptions, ListOptions, Videos } from "./videos.ts";
export type { WaitOptions } from "./wait.ts";
export type { ListDeliveriesOptions, WebhookDeliveries } from "./webhook-deliveries.ts";
export type { WebhookListeners } from "./webhook-listeners.ts";
export type { WebhookSecret, Webhooks, WebhooksWithSecret } from "./webhook-verification.ts";
