export * from "./fault.ts";
export * from "./http-fault-proxy.ts";
export type { FaultRule, MatchedRequest, RequestMatch, RuleHandle } from "./rules.ts";
export * from "./tcp-fault-proxy.ts";
