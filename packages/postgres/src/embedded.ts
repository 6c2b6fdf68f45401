import { access, constants, mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import type { Logger } from "@reelmill/engine/ports";
import { findBinaries } from "./embedded/binaries.ts";
import { initialise, user } from "./embedded/initialise.ts";
import { takeOwnership } from "./embedded/owner.ts";
import { findOrphan } from "./embedded/pid-file.ts";
import { choosePrivileges } from "./embedded/privileges.ts";
import { adopt, PortTakenError, type ServerProcess, startServer, stopServer } from "./embedded/server-process.ts";

export type EmbeddedPostgresOptions = {
	/** A directory of its own, made where there is none. The whole state is in it. */
	readonly directory: string;
	/** The port on 127.0.0.1. Without it, a free one. */
	readonly port?: number;
	/** The server's settings beyond the defaults, by their names in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
	/** Where programs of the system are looked for, as in `PATH` (default: the usual folders). It is all of the environment that PostgreSQL gets. */
	readonly searchPath?: string;
	/** Told when the server ends without having been stopped, or was found running. */
	readonly logger?: Logger;
	/** Told, in a short sentence, of a step that takes long (the first start). */
	onProgress?(step: string): void;
};

export type EmbeddedPostgres = {
	/** The URL, password included: it listens on 127.0.0.1 only. */
	readonly url: string;
	/** The server's process. */
	readonly pid: number;
	/** Ends the server in order and resolves when it is gone. Twice, or after it died, is fine. */
	stop(): Promise<void>;
};

/**
 * Starts PostgreSQL 18 on `directory` and resolves when it takes connections; the first time it makes the database, too.
 *
 * As root it runs without root's rights. A server left running by a process that was killed is taken over as it is (stopped first if it isn't on the
 * port asked for). What was committed outlives a power cut, unless `settings` say otherwise. A process that exits without `stop` leaves it running.
 *
 * @throws Error, in one sentence that says what to do: the directory can't be written, is in use (names the process) or was made by another version;
 * the port is taken; there are no programs for this platform.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
	const directory = resolve(options.directory);
	const binaries = await findBinaries();
	await makeDirectory(directory);
	const giveUp = await takeOwnership(directory);
	try {
		const privileges = await choosePrivileges(directory, options.searchPath ?? usualSearchPath);
		await privileges.own(directory);
		const password = await initialise(directory, binaries, privileges, {
			sync: options.settings?.fsync !== "off",
			onStart: () => options.onProgress?.("Creating the database"),
		});
		const start = (port: number) => startServer(directory, binaries.postgres, { ...defaults, ...options.settings, port: String(port) }, privileges);
		const server = (await takeOver(directory, options)) ?? (await startOnPort(options.port, start));
		return running(server, password, options.logger, giveUp);
	} catch (error) {
		await giveUp();
		throw error;
	}
}

const defaults = { listen_addresses: "127.0.0.1", unix_socket_directories: "", io_method: "sync", huge_pages: "off", jit: "off", log_checkpoints: "off" };

const usualSearchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

async function makeDirectory(directory: string): Promise<void> {
	try {
		await mkdir(directory, { recursive: true, mode: 0o700 });
		await access(directory, constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new Error(`The database's directory ${directory} can't be written (${(error as NodeJS.ErrnoException).code}): make it writable, or choose another.`, {
			cause: error,
		});
	}
}

async function takeOver(directory: string, options: EmbeddedPostgresOptions): Promise<ServerProcess | null> {
	const data = join(directory, "data");
	const orphan = await findOrphan(data);
	const server = orphan && (await adopt(orphan, data));
	if (!server) return null;
	options.logger?.info({ pid: server.pid, port: server.port }, "Found the embedded PostgreSQL running");
	if (options.port === undefined || options.port === server.port) return server;
	await stopServer(server);
	return null;
}

async function startOnPort(port: number | undefined, start: (port: number) => Promise<ServerProcess>): Promise<ServerProcess> {
	if (port !== undefined) return start(port);
	for (let attempt = 1; ; attempt++) {
		try {
			return await start(await freePort());
		} catch (error) {
			// Another program may take the port between our look and the server's.
			if (attempt === 5 || !(error instanceof PortTakenError)) throw error;
		}
	}
}

function freePort(): Promise<number> {
	return new Promise((resolve, reject) => {
		const probe = createServer();
		probe.once("error", reject);
		probe.listen(0, "127.0.0.1", () => {
			const { port } = probe.address() as { port: number };
			probe.close(() => resolve(port));
		});
	});
}

function running(server: ServerProcess, password: string, logger: Logger | undefined, giveUp: () => Promise<void>): EmbeddedPostgres {
	let stopped: Promise<void> | undefined;
	void server.exited.then(() => {
		if (!stopped) logger?.error({ pid: server.pid }, "The embedded PostgreSQL has ended by itself; its last words are in postgres.log");
	});
	return {
		url: `postgres://${user}:${password}@127.0.0.1:${server.port}/postgres`,
		pid: server.pid,
		stop() {
			stopped ??= stopServer(server).finally(giveUp);
			return stopped;
		},
	};
}
