import { type Logger, readMigrations } from "@reelmill/engine";
import type { Config } from "./config.ts";
import type { RunningServer } from "./server.ts";
import { version } from "./version.ts";

/**
 * Logs in one line that the server has started: its version, its address, the newest migration that it knows, and where
 * new domains store. Returns the server, whose stop logs a line as well.
 */
export async function logLife(
	server: RunningServer,
	{ STORAGE_DEFAULT, DATA_DIR }: Pick<Config, "STORAGE_DEFAULT" | "DATA_DIR">,
	logger: Logger,
): Promise<RunningServer> {
	const schema = (await readMigrations()).at(-1)?.name;
	const about = { version, address: server.baseUrl, schema, storage: STORAGE_DEFAULT ?? DATA_DIR };
	logger.info(about, "server started");
	return {
		...server,
		async stop() {
			await server.stop();
			logger.info(about, "server stopped");
		},
	};
}
