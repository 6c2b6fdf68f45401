export { type AddressRules, createAddressRules, parseCidrs } from "./address-rules.ts";
export { BlockedAddressError, type GuardedConnectorOptions } from "./checked-addresses.ts";
export { createGuardedAgents, type GuardedAgents, type GuardedAgentsOptions } from "./guarded-agents.ts";
export { createGuardedConnector } from "./guarded-connector.ts";
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
export type { Lookup } from "./lookup.ts";
export { createResolver, type ResolverOptions } from "./resolver.ts";
export { createWebhookTransport, type WebhookTransportOptions } from "./webhook-transport.ts";
