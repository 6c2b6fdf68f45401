export { createQuotas, type Quotas } from "./quotas.ts";
export { createUsage, type UsageView } from "./usage.ts";
