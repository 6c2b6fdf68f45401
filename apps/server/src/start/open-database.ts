import { join } from "node:path";
import type { Logger } from "@reelmill/engine";
import { createPostgresDatabase, type PostgresDatabase, withoutPassword } from "@reelmill/postgres";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import type { Config } from "../config.ts";
import { StartError } from "./start-error.ts";

export type OpenedDatabase = { readonly database: PostgresDatabase; close(): Promise<void> };

/**
 * Opens the database that REELMILL_DATABASE_URL names, or an embedded one in the data directory.
 *
 * @throws {StartError} when the database can't be reached, or the embedded one can't start.
 */
export async function openDatabase(
	config: Pick<Config, "DATABASE_URL" | "DATABASE_CONNECTIONS" | "DATABASE_MIGRATION_URL" | "DATA_DIR">,
	logger: Logger,
	onProgress: (step: string) => void,
): Promise<OpenedDatabase> {
	const embedded =
		config.DATABASE_URL === undefined
			? await startEmbedded(join(config.DATA_DIR, "postgres"), logger, onProgress)
			: null;
	const url = embedded?.url ?? (config.DATABASE_URL as string);
	try {
		await ask(url);
	} catch (cause) {
		await embedded?.stop();
		const what = `The database at ${withoutPassword(url)} can't be reached (${(cause as Error).message})`;
		throw new StartError(`${what}; check REELMILL_DATABASE_URL and that the server runs.`, { cause });
	}
	const database = createPostgresDatabase({
		url,
		maxConnections: config.DATABASE_CONNECTIONS,
		...(config.DATABASE_MIGRATION_URL !== undefined && { migrationUrl: config.DATABASE_MIGRATION_URL }),
		logger,
	});
	return {
		database,
		async close() {
			await database.close();
			await embedded?.stop();
		},
	};
}

async function ask(url: string): Promise<void> {
	const database = createPostgresDatabase({ url });
	try {
		await database.ping();
	} finally {
		await database.close();
	}
}

async function startEmbedded(
	directory: string,
	logger: Logger,
	onProgress: (step: string) => void,
): ReturnType<typeof startEmbeddedPostgres> {
	try {
		const { PATH: searchPath } = process.env;
		return await startEmbeddedPostgres({
			directory,
			logger,
			onProgress,
			...(searchPath !== undefined && { searchPath }),
		});
	} catch (cause) {
		throw new StartError((cause as Error).message, { cause });
	}
}
