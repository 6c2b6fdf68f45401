export type { PostgresDatabase, PostgresDatabaseOptions } from "./database.ts";
export { createPostgresDatabase } from "./database.ts";
