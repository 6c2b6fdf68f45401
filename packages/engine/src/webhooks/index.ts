export type { Webhooks } from "./delivery-log.ts";
export { createWebhooks, type WebhooksNoun } from "./webhooks.ts";
