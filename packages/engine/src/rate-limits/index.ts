export { createMemoryRateLimiter } from "./memory-rate-limiter.ts";
export { createRateLimits, type RateLimitName, type RateLimits } from "./rate-limits.ts";
