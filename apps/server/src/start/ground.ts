import { join } from "node:path";
import type { Logger } from "@reelmill/engine";
import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { StartError } from "@reelmill/settings";
import type { Config } from "../config.ts";
import { openDataDirectory } from "../data-directory/data-directory.ts";
import { keepRemovingLeftovers } from "../data-directory/leftovers.ts";
import { lockDataDirectory } from "../data-directory/lock.ts";
import { cautionsOf } from "./cautions.ts";
import { connectionsOf } from "./share-of.ts";

/** What a server has once, however many processes it has: its data directory, and the embedded database. */
export type Ground = {
	/** The setting, or the address of the embedded database. */
	readonly databaseUrl: string;
	/** Stops the embedded database, and releases the directory. */
	close(): Promise<void>;
};

/** Opens the ground of a server that users reach at this address. */
export type OpenGround = (baseUrl: string) => Promise<Ground>;

/**
 * Creates and locks the data directory, and starts the embedded database unless a setting names another one. It logs
 * what in the settings is rarely meant. `processes` is how many processes will use the database.
 *
 * @throws {StartError} when the directory can't be written or is in use, and when the embedded database can't start.
 */
export async function openGround(
	config: Config,
	processes: number,
	logger: Logger,
	onProgress: (step: string) => void,
	baseUrl: string,
): Promise<Ground> {
	const opened: (() => Promise<unknown>)[] = [];
	const close = async () => {
		while (opened.length > 0) await opened.pop()?.();
	};
	try {
		await openDataDirectory(config.DATA_DIR);
		const lock = await lockDataDirectory(config);
		opened.push(lock.release);
		opened.push(keepRemovingLeftovers(config.DATA_DIR, logger));
		for (const caution of cautionsOf(config, baseUrl)) logger.warn({}, caution);
		if (config.DATABASE_URL !== undefined) return { databaseUrl: config.DATABASE_URL, close };
		const embedded = await startEmbedded(config, processes, logger, onProgress);
		opened.push(embedded.stop);
		return { databaseUrl: embedded.url, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** PostgreSQL's own default. */
const fewestConnections = 100;
/** For those who look into the database beside the server. */
const furtherConnections = 10;

async function startEmbedded(
	config: Config,
	processes: number,
	logger: Logger,
	onProgress: (step: string) => void,
): ReturnType<typeof startEmbeddedPostgres> {
	const connections = connectionsOf(config, processes) + furtherConnections;
	try {
		const { PATH: searchPath } = process.env;
		return await startEmbeddedPostgres({
			directory: join(config.DATA_DIR, "postgres"),
			settings: { max_connections: String(Math.max(fewestConnections, connections)) },
			logger,
			onProgress,
			...(searchPath !== undefined && { searchPath }),
		});
	} catch (cause) {
		throw new StartError((cause as Error).message, { cause });
	}
}
