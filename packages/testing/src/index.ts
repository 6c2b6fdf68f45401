export {
	createTestReelmill,
	type TestReelmill,
	type TestReelmillOptions,
	type WebhookHandler,
} from "./create-test-reelmill.ts";
export type { FinishedMedia } from "./service/messages.ts";
export { type SignedRequestOptions, signedRequest } from "./signed-request.ts";
export { type EventOverrides, webhookEvent } from "./webhook-event.ts";
