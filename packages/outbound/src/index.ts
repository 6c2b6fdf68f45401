export { type AddressRules, createAddressRules, parseCidrs } from "./guard/address-rules.ts";
export { BlockedAddressError, type GuardedConnectorOptions } from "./guard/checked-addresses.ts";
export { createGuardedAgents, type GuardedAgents, type GuardedAgentsOptions } from "./guard/guarded-agents.ts";
export { createGuardedConnector } from "./guard/guarded-connector.ts";
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "./guard/guarded-fetch.ts";
export { createImportSource, type ImportSourceOptions } from "./imports/import-source.ts";
export type { Lookup } from "./names/lookup.ts";
export { createResolver, type ResolverOptions } from "./names/resolver.ts";
export { createWebhookTransport, type WebhookTransportOptions } from "./webhooks/webhook-transport.ts";
