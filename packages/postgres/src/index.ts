export type { PostgresDatabase, PostgresDatabaseOptions } from "./database.ts";
export { createPostgresDatabase } from "./database.ts";
export { createPostgresRateLimiter, type PostgresRateLimiterOptions } from "./rate-limiter.ts";
export { withoutPassword } from "./server-url.ts";
