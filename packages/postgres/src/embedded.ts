import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "@reelmill/engine/ports";
import { findBinaries } from "./embedded/binaries.ts";
import { lockData } from "./embedded/data-lock.ts";
import { lockDirectory } from "./embedded/directory-lock.ts";
import { makeDirectories } from "./embedded/durable.ts";
import { initialise, user } from "./embedded/initialise.ts";
import { choosePrivileges } from "./embedded/privileges.ts";
import { PortTakenError, type ServerProcess, startServer, stopServer } from "./embedded/server-process.ts";

export { DirectoryInUseError, type DirectoryLock, lockDirectory } from "./embedded/directory-lock.ts";
export { CannotLockError } from "./embedded/file-lock.ts";

export type EmbeddedPostgresOptions = {
	/** A directory of its own, made where there is none. The whole state is in it. */
	readonly directory: string;
	/** The port on 127.0.0.1. Without it, a free one. */
	readonly port?: number;
	/** The server's settings beyond the defaults, by their names in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
	/**
	 * Where programs of the system are looked for, as in `PATH` (default: the usual folders). It is all of the
	 * environment that PostgreSQL gets.
	 */
	readonly searchPath?: string;
	/** Told when the server ends without having been stopped, and when that of a killed process is waited for. */
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
 * Starts PostgreSQL 18 on `directory` and resolves when it takes connections; the first time it makes the database,
 * too.
 *
 * As root it runs without root's rights. It ends when this process does, however this process ends: the next start then
 * recovers, within seconds, all that was committed. That outlives a power cut, too, unless `settings` say otherwise.
 * Locks of the kernel keep every other process from the directory, in other containers as well, until the last process
 * of PostgreSQL is gone.
 *
 * @throws Error, in one sentence that says what to do: the directory can't be written or was made by another version;
 * the port is taken; there are no programs for this platform. DirectoryInUseError, at once, if the directory is in use
 * (names the process); CannotLockError if its file system can't lock files.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
	const directory = resolve(options.directory);
	const binaries = await findBinaries();
	await makeDirectory(directory);
	const owned = await lockDirectory(directory, "exclusive");
	try {
		const lock = await lockData(directory, options.logger);
		try {
			const privileges = await choosePrivileges(directory, options.searchPath ?? usualSearchPath);
			await privileges.own(directory);
			const password = await initialise(directory, binaries, privileges, {
				sync: options.settings?.fsync !== "off",
				onStart: () => options.onProgress?.("Creating the database"),
			});
			const server = await startOnPort(options.port, (port) =>
				startServer(
					directory,
					binaries.postgres,
					{ ...defaults, ...options.settings, port: String(port) },
					{ privileges, lock },
				),
			);
			return running(server, password, options.logger, () => lock.release().then(owned.release));
		} catch (error) {
			await lock.release();
			throw error;
		}
	} catch (error) {
		await owned.release();
		throw error;
	}
}

const defaults = {
	listen_addresses: "127.0.0.1",
	unix_socket_directories: "",
	io_method: "sync",
	huge_pages: "off",
	jit: "off",
	log_checkpoints: "off",
};

const usualSearchPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

async function makeDirectory(directory: string): Promise<void> {
	try {
		await makeDirectories(directory);
		await access(directory, constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new Error(
			`The database's directory ${directory} can't be written (${(error as NodeJS.ErrnoException).code}): make it writable, or choose another.`,
			{
				cause: error,
			},
		);
	}
}

async function startOnPort(
	port: number | undefined,
	start: (port: number) => Promise<ServerProcess>,
): Promise<ServerProcess> {
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

function running(
	server: ServerProcess,
	password: string,
	logger: Logger | undefined,
	giveUp: () => Promise<void>,
): EmbeddedPostgres {
	let stopped: Promise<void> | undefined;
	void server.exited.then(() => {
		if (!stopped)
			logger?.error(
				{ pid: server.pid },
				"The embedded PostgreSQL has ended by itself; its last words are in postgres.log",
			);
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
