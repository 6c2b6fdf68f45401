export type { Webhooks } from "./delivery-log.ts";
export { createWebhooks } from "./webhooks.ts";
