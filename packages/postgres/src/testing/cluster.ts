import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Row } from "@reelmill/engine/ports";
import { createPostgresDatabase } from "../database.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../embedded/embedded-postgres.ts";
import { processTree, tell, untilGone } from "./process-tree.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** How many standbys a test's PostgreSQL has. */
export type TestClusterOptions = {
	/** Whether the primary acknowledges a commit only when the standby has it. */
	readonly synchronous: boolean;
	/** Settings of both servers in addition to the defaults, by their names in postgresql.conf. */
	readonly settings?: Readonly<Record<string, string>>;
};

/** A PostgreSQL with standbys, for tests. */
export type TestCluster = {
	/** The URL of both servers, the first primary first; `target_session_attrs` chooses the one that is primary now. */
	readonly url: string;
	/** The server that starts as primary. Its own URL and port stay the same in all of its lives. */
	readonly primary: { readonly url: string; readonly port: number };
	/** The server that follows it. */
	readonly standby: { readonly url: string; readonly port: number };
	/** Makes the standby a primary. Resolves when it takes writes; it waits for no standby of its own. */
	promote(): Promise<void>;
	/** Resolves when the standby shows everything that the primary has committed by now. */
	caughtUp(): Promise<void>;
	/**
	 * Stops sending the primary's commits to the standby. A synchronous primary acknowledges nothing more. It lasts until
	 * the primary's end.
	 */
	holdReplication(): Promise<void>;
	/**
	 * Ends the primary in order ("stop"), like a machine that loses its power ("kill"), or like one that hangs with all
	 * its connections open ("freeze").
	 */
	stopPrimary(how: "stop" | "kill" | "freeze"): Promise<void>;
	/** Lets a frozen primary run on, and take writes. */
	thawPrimary(): void;
	/**
	 * Kills what is left of the first primary, and starts it again: as a standby of the promoted server, as a primary
	 * that takes no writes by its settings, or as a primary that knows of nothing.
	 */
	startPrimary(as: "standby" | "read-only" | "primary"): Promise<void>;
	/** Stops both servers, whatever their state, and removes their directories. */
	close(): Promise<void>;
};

/** Nothing here survives a power cut, which no process can stage. */
const defaults = {
	fsync: "off",
	max_connections: "120",
	wal_receiver_timeout: "5s",
	wal_retrieve_retry_interval: "100ms",
};

/**
 * Starts an embedded primary and a standby that streams from it, in a temporary directory. Takes about a second.
 *
 * @example
 * ```ts
 * import { createPostgresDatabase } from "@reelmill/postgres";
 * import { startTestCluster } from "@reelmill/postgres/testing";
 *
 * const cluster = await startTestCluster({ synchronous: false });
 * const database = createPostgresDatabase({ url: cluster.url });
 * await database.ping();
 * await cluster.promote();
 * await cluster.stopPrimary("kill");
 * await database.ping();
 * await database.close();
 * await cluster.close();
 * console.log("found the promoted server"); // => found the promoted server
 * ```
 */
export async function startTestCluster({ synchronous, settings }: TestClusterOptions): Promise<TestCluster> {
	const directory = await makeTemporaryFolder("reelmill-test-cluster-");
	const running = new Set<EmbeddedPostgres>();
	const frozen = new Set<number>();
	const start = async (
		name: "primary" | "standby",
		more: Readonly<Record<string, string>>,
		port?: number,
	): Promise<EmbeddedPostgres> => {
		const own = { directory: join(directory, name), settings: { ...defaults, ...settings, ...more } };
		const server = await startEmbeddedPostgres(port === undefined ? own : { ...own, port });
		running.add(server);
		return server;
	};
	const end = async (server: EmbeddedPostgres): Promise<void> => {
		await server.stop();
		running.delete(server);
	};
	const close = async (): Promise<void> => {
		tell(frozen, "SIGCONT");
		await Promise.all([...running].map(end));
		await rm(directory, { recursive: true, force: true });
	};
	try {
		// A server that was stopped in order is a base backup as it is.
		await end(await start("primary", {}));
		await cp(join(directory, "primary"), join(directory, "standby"), { recursive: true });
		let primary = await start("primary", synchronous ? { synchronous_standby_names: "*" } : {});
		await writeFile(join(directory, "standby", "data", "standby.signal"), "");
		const standby = await start("standby", follows(primary.url));
		const first = { url: primary.url, port: portOf(primary.url) };
		const kill = async (): Promise<void> => {
			const all = await processTree(primary.pid);
			tell(all, "SIGKILL");
			await end(primary);
			await untilGone(all);
			frozen.clear();
		};
		await until(first.url, "select 1 from pg_stat_replication where state = 'streaming'");
		return {
			url: first.url.replace(/@([^/]+)/, `@$1,127.0.0.1:${portOf(standby.url)}`),
			primary: first,
			standby: { url: standby.url, port: portOf(standby.url) },
			async promote() {
				await ask(standby.url, "select pg_promote()");
				await until(standby.url, "select 1 where not pg_is_in_recovery()");
			},
			async caughtUp() {
				const [row] = await ask(first.url, "select pg_current_wal_flush_lsn()::text as place");
				await until(standby.url, `select 1 where pg_last_wal_replay_lsn() >= '${row?.place}'`);
			},
			async holdReplication() {
				const senders = await ask(first.url, "select pid from pg_stat_replication");
				for (const { pid } of senders) frozen.add(pid as number);
				tell(frozen, "SIGSTOP");
			},
			async stopPrimary(how) {
				if (how === "kill") return kill();
				if (how === "stop") {
					tell(frozen, "SIGCONT");
					return end(primary);
				}
				// The postmaster first, so that it makes no more children.
				tell([primary.pid], "SIGSTOP");
				for (const pid of await processTree(primary.pid)) frozen.add(pid);
				tell(frozen, "SIGSTOP");
			},
			thawPrimary() {
				tell(frozen, "SIGCONT");
				frozen.clear();
			},
			async startPrimary(as) {
				await kill();
				const signal = join(directory, "primary", "data", "standby.signal");
				await (as === "standby" ? writeFile(signal, "") : rm(signal, { force: true }));
				const more = {
					standby: follows(standby.url),
					"read-only": { default_transaction_read_only: "on" },
					primary: {},
				}[as];
				primary = await start("primary", more, first.port);
			},
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

const portOf = (url: string): number => Number(new URL(url).port);

function follows(url: string): Record<string, string> {
	const { hostname, port, username, password } = new URL(url);
	return { primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}` };
}

async function ask(url: string, text: string): Promise<Row[]> {
	const database = createPostgresDatabase({ url, maxConnections: 1, statementTimeoutMilliseconds: 60_000 });
	try {
		return await database.query({ text, values: [] });
	} finally {
		await database.close();
	}
}

/** Resolves when the statement returns a row. */
async function until(url: string, text: string): Promise<void> {
	while ((await ask(url, text)).length === 0) await sleep(20);
}
