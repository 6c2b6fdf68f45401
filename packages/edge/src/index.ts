export { type AuthoriseRequest, authorise, type Decision } from "./authorise.ts";
export type { EdgeCache, Kept } from "./cache/cache.ts";
export { createMemoryCache, type MemoryCacheOptions } from "./cache/memory-cache.ts";
export { createPlatformCache, type PlatformCache } from "./cache/platform-cache.ts";
export { createEdge, type Edge, type EdgeOptions, type EdgeRequest, type Origin, type OriginRequest } from "./edge.ts";
export { type DomainKnowledge, learn } from "./knowledge/domain-knowledge.ts";
export { type Feed, type ProvenFeed, readFeed } from "./knowledge/feed.ts";
export type { Knowledge } from "./knowledge/follow.ts";
export { importSigningKeys, type SigningKeys } from "./knowledge/signing-keys.ts";
