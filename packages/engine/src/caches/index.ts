export { atMost } from "./at-most.ts";
export { type BriefCache, createBriefCache } from "./brief-cache.ts";
