export { deliveryIdHeader, signatureHeader } from "./header.ts";
export { type SignOptions, signWebhook } from "./sign.ts";
export { type VerificationFailure, WebhookVerificationError } from "./verification-error.ts";
export { type VerifyOptions, verifySignature } from "./verify.ts";
