export { type AddressRules, createAddressRules, parseCidrs } from "./address-rules.ts";
export { createGuardedAgents, type GuardedAgents, type GuardedAgentsOptions } from "./guarded-agents.ts";
export { BlockedAddressError, createGuardedConnector, type GuardedConnectorOptions } from "./guarded-connector.ts";
export { createGuardedFetch, type GuardedFetch, type GuardedFetchOptions } from "./guarded-fetch.ts";
export { type Lookup, resolveName } from "./resolve-name.ts";
export { createWebhookTransport, type WebhookTransportOptions } from "./webhook-transport.ts";
