export { type Ceilings, effectiveLimits } from "./effective.ts";
export { jobLimits } from "./job-limits.ts";
export { createLimits, type Limits } from "./limits.ts";
