export { createDispatcher, type Dispatcher } from "./dispatcher.ts";
export { createWebhooks, type Webhooks } from "./log.ts";
export { createWebhookLogPrune } from "./prune.ts";
