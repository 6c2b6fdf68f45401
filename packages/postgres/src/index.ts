export { withoutPassword } from "./connections/server-url.ts";
export type { PostgresDatabase, PostgresDatabaseOptions } from "./database.ts";
export { createPostgresDatabase } from "./database.ts";
export { createPostgresRateLimiter, type PostgresRateLimiterOptions } from "./rate-limiter/rate-limiter.ts";
