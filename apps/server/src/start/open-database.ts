import type { Logger } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase, withoutPassword } from "@reelmill/postgres";
import { StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";

export type OpenedDatabase = { readonly database: PostgresDatabase; close(): Promise<void> };

/**
 * Opens the database at this URL.
 *
 * @throws {StartError} when the database can't be reached.
 */
export async function openDatabase(
	config: Pick<Config, "DATABASE_CONNECTIONS" | "DATABASE_MIGRATION_URL">,
	url: string,
	logger: Logger,
): Promise<OpenedDatabase> {
	try {
		await ask(url);
	} catch (cause) {
		const what = `The database at ${withoutPassword(url)} can't be reached (${(cause as Error).message})`;
		throw new StartError(`${what}; check REELMILL_DATABASE_URL and that the server runs.`, { cause });
	}
	const database = createPostgresDatabase({
		url,
		...(config.DATABASE_CONNECTIONS !== undefined && { maxConnections: config.DATABASE_CONNECTIONS }),
		...(config.DATABASE_MIGRATION_URL !== undefined && { migrationUrl: config.DATABASE_MIGRATION_URL }),
		logger,
	});
	return { database, close: () => database.close() };
}

async function ask(url: string): Promise<void> {
	const database = createPostgresDatabase({ url });
	try {
		await database.ping();
	} finally {
		await database.close();
	}
}
