export { ConnectionError, type ErrorCode, isReelmillError, ReelmillError, type RetryOptions } from "@reelmill/client";
export type { CreatedVideo, Domain, DomainConfigPatch, PlaybackKey, Video, VideoState, Visibility, WebhookEvent } from "@reelmill/contracts";
export { type VerificationFailure, WebhookVerificationError } from "@reelmill/webhooks";
export { createReelmill, type Reelmill, type ReelmillOptions } from "./reelmill.ts";
export type { UploadInput, UploadOptions, UploadSource } from "./upload.ts";
export { type VerifyWebhookOptions, verifyWebhook, type WebhookHeaders } from "./verify-webhook.ts";
export type { CallOptions, ListOptions, Videos } from "./videos.ts";
export type { WaitOptions } from "./wait.ts";
