import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createPostgresDatabase, type PostgresDatabase } from "@reelmill/postgres";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@reelmill/postgres/embedded";
import { processTree, tell, untilGone } from "../../../packages/postgres/src/testing/process-tree.ts";
import { openSmallDisk, type SmallDisk } from "../disks/small-disk.ts";

const isAlive = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** One PostgreSQL server on its own disk. It always has the same port. */
export type PostgresNode = {
	readonly url: string;
	readonly port: number;
	readonly disk: SmallDisk;
	/** The driver's own connections, which no proxy breaks. */
	readonly database: PostgresDatabase;
	isRunning(): boolean;
	/** Stops all of its processes (SIGSTOP), as on a machine that stands still. */
	freeze(): Promise<void>;
	/** Ends it by this signal; resolves when none of its processes is left. */
	end(signal: NodeJS.Signals): Promise<void>;
	/** Starts it again on the same data. */
	start(): Promise<void>;
	/** Drops its data and becomes a standby of `primary`. Resolves when it takes connections. */
	follow(primary: PostgresNode): Promise<void>;
	/** Resolves when it takes a write, and everything that a write waits for is there. */
	writes(): Promise<void>;
	close(): Promise<void>;
};

/** PostgreSQL's defaults, `fsync` included, except what a small disk and a pair of servers need. */
const settings = {
	max_connections: "120",
	restart_after_crash: "on",
	max_wal_size: "64MB",
	min_wal_size: "32MB",
	wal_keep_size: "64MB",
	wal_retrieve_retry_interval: "100ms",
};
const megabytes = 384;

/** Makes and starts a node; it follows `primary` if that is given. */
export async function openPostgresNode(directory: string, primary?: PostgresNode): Promise<PostgresNode> {
	const disk = await openSmallDisk(directory, megabytes);
	const home = join(directory, "server");
	let server: EmbeddedPostgres;
	try {
		server = await (primary
			? copyOf(primary, home).then((more) =>
					startEmbeddedPostgres({ directory: home, settings: { ...settings, ...more } }),
				)
			: startEmbeddedPostgres({ directory: home, settings }));
	} catch (error) {
		await disk.close();
		throw error;
	}
	const { url } = server;
	const port = Number(new URL(url).port);
	const database = createPostgresDatabase({ url, maxConnections: 4 });
	const node: PostgresNode = {
		url,
		port,
		disk,
		database,
		isRunning: () => isAlive(server.pid),
		freeze: async () => tell(await processTree(server.pid), "SIGSTOP"),
		async end(signal) {
			const family = await processTree(server.pid);
			tell(family.slice(0, 1), signal);
			// Only SIGKILL ends a process that was stopped.
			if (signal === "SIGKILL") tell(family, signal);
			await server.stop();
			await untilGone(family);
		},
		async start() {
			await server.stop();
			server = await startEmbeddedPostgres({ directory: home, settings, port });
		},
		async follow(leader) {
			if (isAlive(server.pid)) await node.end("SIGKILL");
			await rm(home, { recursive: true, force: true });
			server = await startEmbeddedPostgres({
				directory: home,
				settings: { ...settings, ...(await copyOf(leader, home)) },
				port,
			});
		},
		async writes() {
			while (!(await database.query({ text: "select pg_current_xact_id()", values: [] }).then(...answered)))
				await sleep(20);
		},
		async close() {
			await database.close();
			if (isAlive(server.pid)) tell(await processTree(server.pid), "SIGCONT");
			await server.stop();
			await disk.close();
		},
	};
	return node;
}

const answered = [() => true, () => false] as const;
/** Files and folders that belong to the running server alone, or that come over the connection. */
const ownFiles = ["postmaster.pid", "postmaster.opts"];
const ownFolders = ["pg_wal", "pg_replslot", "pg_stat_tmp"];
const isCopied = (path: string): boolean => {
	const parts = path.split("/");
	return !ownFiles.includes(parts.at(-1) ?? "") && !parts.slice(0, -1).some((folder) => ownFolders.includes(folder));
};

/**
 * Copies the data of a running server in its backup mode, as a base backup does, and returns the settings of a standby.
 */
async function copyOf({ url, disk }: PostgresNode, home: string): Promise<Record<string, string>> {
	const from = join(disk.directory, "server");
	const session = createPostgresDatabase({ url, maxConnections: 1 });
	try {
		await session.query({ text: "select pg_backup_start('standby', true)", values: [] });
		await cp(from, home, { recursive: true, preserveTimestamps: true, filter: isCopied, force: true });
		const [label] = await session.query<{ labelfile: string }>({
			text: "select labelfile from pg_backup_stop(false)",
			values: [],
		});
		await writeFile(join(home, "data", "backup_label"), label?.labelfile ?? "");
		// The primary's own settings must not be copied: a new primary waits for no standby until it has one.
		await writeFile(join(home, "data", "postgresql.auto.conf"), "");
		await writeFile(join(home, "data", "standby.signal"), "");
		for (const name of ["owner", "postgres.log"]) await rm(join(home, name), { force: true });
		const password = (await readFile(join(home, "password"), "utf8")).trim();
		const { hostname, port, username } = new URL(url);
		return {
			primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`,
		};
	} finally {
		await session.close();
	}
}
