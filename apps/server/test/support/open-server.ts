import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createRecordingLogger, type LogEntry } from "@reelmill/engine/testing";
import { readConfig } from "../../src/config.ts";
import { type RunningServer, startServer } from "../../src/server.ts";

export type OpenServer = {
	readonly url: string;
	/** The address of /ready and /metrics. */
	readonly operations: string;
	readonly auth: { readonly authorization: string };
	/** What its start told the command. */
	readonly told: RunningServer;
	/** What it logged, whatever the level. */
	readonly log: readonly LogEntry[];
	/** Stops it in order. */
	stop(): Promise<void>;
};

const environmentOf = (settings: Readonly<Record<string, string>>): Record<string, string> =>
	Object.fromEntries(Object.entries(settings).map(([name, value]) => [`REELMILL_${name}`, value]));

/**
 * Starts the reference server in this process, without embedded workers, in `directory` and on the database at
 * `databaseUrl`: for what is no matter of a process of its own, since that takes a second or two of the processor.
 * Rejects as the start does.
 */
export async function openServer(
	directory: string,
	databaseUrl: string,
	settings: Readonly<Record<string, string>> = {},
): Promise<OpenServer> {
	const all = {
		PORT: "0",
		OPS_PORT: "0",
		EMBEDDED_WORKERS: "0",
		DRAIN_SECONDS: "0",
		DATA_DIR: directory,
		DATABASE_URL: databaseUrl,
		...settings,
	};
	const logger = createRecordingLogger();
	const told = await startServer(readConfig(environmentOf(all)), logger, () => undefined);
	return {
		url: told.baseUrl,
		operations: `http://127.0.0.1:${told.operationsPort}`,
		auth: { authorization: `Bearer ${(await readFile(join(directory, "tenant.key"), "utf8").catch(() => "")).trim()}` },
		told,
		log: logger.entries,
		stop: told.stop,
	};
}

/** Resolves to the sentence by which a start is refused. Rejects if it isn't, or if something else fails. */
export async function refusalOf(directory: string, databaseUrl: string, settings: Readonly<Record<string, string>>) {
	const server = await openServer(directory, databaseUrl, settings).catch((error: Error) => error);
	if (!(server instanceof Error)) {
		await server.stop();
		throw new Error("The server started.");
	}
	if (!["StartError", "SettingsError"].includes(server.constructor.name)) throw server;
	return server.message;
}
