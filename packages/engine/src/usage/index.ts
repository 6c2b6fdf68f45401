export { createUsage, type UsageView } from "./usage.ts";
