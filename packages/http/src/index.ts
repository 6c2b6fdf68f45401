export { checkTrustedProxies, checkWorkerNetworks } from "./client-address.ts";
export { type GuardOptions, guardServer } from "./guard/guard-server.ts";
export { createHandler, type FetchHandler } from "./handler.ts";
export { createNodeListener, type NodeListener } from "./node/listener.ts";
export { type EndedRequest, type HttpOptions, type PlaneName, planeNames, type SendFile } from "./options.ts";
export { servedElsewhere, servedPages, servedRaw, unserved } from "./unserved.ts";
