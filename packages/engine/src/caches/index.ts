export { type BriefCache, createBriefCache } from "./brief-cache.ts";
