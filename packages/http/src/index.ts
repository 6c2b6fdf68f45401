export { checkTrustedProxies, checkWorkerNetworks } from "./client/client-address.ts";
export { checkIdentityProvider } from "./console/identity-provider.ts";
export { createHonoApp, type HonoApp } from "./create-hono-app.ts";
export { type GuardOptions, guardServer } from "./guard/guard-server.ts";
export { createHandler, type FetchHandler } from "./handler.ts";
export { createNodeListener, type NodeListener } from "./listener.ts";
export type { EndedRequest, HttpOptions, IdentityProvider, SendFile } from "./options.ts";
export { type PlaneName, planeNames } from "./plane-name.ts";
export { servedElsewhere, servedPages, servedRaw } from "./served.ts";
