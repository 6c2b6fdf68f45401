import { access, constants } from "node:fs/promises";
import { createServer } from "node:net";
import { resolve } from "node:path";
import type { Logger } from "@reelmill/engine/ports";
import pRetry from "p-retry";
import { findBinaries } from "./binaries.ts";
import { lockData } from "./data-lock.ts";
import { lockDirectory } from "./directory-lock.ts";
import { makeDirectories } from "./durable-files.ts";
import { initialise, user } from "./initialise.ts";
import { choosePrivileges } from "./privileges.ts";
import { PortTakenError, type ServerProcess, startServer, stopServer } from "./server-process.ts";

/** Where the embedded PostgreSQL keeps its data, and how it runs. */
export type EmbeddedPostgresOptions = {
	/** A directory of its own, which is made if it doesn't exist. It holds the whole state. */
	readonly directory: string;
	/** The port on 127.0.0.1 (default: a free one). */
	readonly port?: number;
	/** Settings of the server in addition to the defaults, by their names in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
	/**
	 * Where programs of the system are looked for, as in `PATH` (default: the usual folders). PostgreSQL gets nothing
	 * else of the environment.
	 */
	readonly searchPath?: string;
	/** Is told when the server ends by itself, and when the server of a killed process is waited for. */
	readonly logger?: Logger;
	/** Called with a short sentence before a step that takes long, such as the first start. */
	onProgress?(step: string): void;
};

/** An embedded PostgreSQL that runs: its URL, its process id, and how it is stopped. */
export type EmbeddedPostgres = {
	/** The URL, password included. The server listens on 127.0.0.1 only. */
	readonly url: string;
	/** The id of the server's process. */
	readonly pid: number;
	/**
	 * Stops the server in order, and resolves when it is gone. Calling it twice, or after the server died, is harmless.
	 */
	stop(): Promise<void>;
};

/**
 * Starts PostgreSQL 18 on `directory` and resolves when it takes connections. The first start also makes the database.
 *
 * If this process is root, the server runs without root's rights. It ends with this process, however that ends; the
 * next start recovers within seconds everything that was committed. Commits survive a power cut unless `settings` say
 * otherwise. Locks of the kernel keep every other process from the directory, in other containers as well, until the
 * last process of PostgreSQL is gone.
 *
 * @throws {DirectoryInUseError} at once when the directory is in use; it names the process.
 * @throws {CannotLockError} when the directory's file system can't lock files.
 * @throws {Error} when the directory can't be written or was made by another version, when the port is taken, and when
 * there are no programs for this platform. The message says what to do.
 *
 * @example
 * ```ts
 * import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
 *
 * const server = await startEmbeddedPostgres({ directory: "./data" });
 * console.log(new URL(server.url).hostname); // => 127.0.0.1
 * await server.stop();
 * ```
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
	return pRetry(async () => start(await freePort()), {
		retries: 4,
		minTimeout: 0,
		// Another program may take the port between our look and the server's.
		shouldRetry: ({ error }) => error instanceof PortTakenError,
	});
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
