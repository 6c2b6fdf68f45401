export { type Check, createCheck } from "./check.ts";
export type { CheckOptions } from "./step.ts";
