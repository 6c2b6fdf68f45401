export { type Ceilings, effectiveLimits } from "./effective.ts";
export { createLimits, type Limits } from "./limits.ts";
