export type { Webhooks } from "./delivery-log.ts";
export type { Listeners } from "./listeners.ts";
export { createWebhooks, type WebhooksNoun } from "./webhooks.ts";
