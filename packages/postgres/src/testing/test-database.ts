import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import type { Logger } from "@reelmill/engine/ports";
import { createPostgresDatabase, type PostgresDatabase } from "../database.ts";
import { startEmbeddedPostgres } from "../embedded/embedded-postgres.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** Tests fill tables by statements that no request would send, on busy machines. */
const statementTimeoutMilliseconds = 300_000;

/** A PostgreSQL for tests. */
export type TestServer = { readonly url: string; close(): Promise<void> };

/**
 * Starts an empty embedded server in a temporary directory. It is fast because it wouldn't survive a power cut. `close`
 * stops it and removes the directory.
 *
 * @example
 * ```ts
 * import { openTestDatabase, startTestServer } from "@reelmill/postgres/testing";
 *
 * const server = await startTestServer();
 * const one = await openTestDatabase({ serverUrl: server.url });
 * const other = await openTestDatabase({ serverUrl: server.url });
 * console.log(one.url === other.url); // => false
 * await Promise.all([one.close(), other.close()]);
 * await server.close();
 * ```
 */
export async function startTestServer(): Promise<TestServer> {
	const directory = await makeTemporaryFolder("reelmill-test-postgres-");
	const settings = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" };
	try {
		const server = await startEmbeddedPostgres({ directory, settings });
		return {
			url: server.url,
			async close() {
				await server.stop();
				await rm(directory, { recursive: true, force: true });
			},
		};
	} catch (error) {
		await rm(directory, { recursive: true, force: true });
		throw error;
	}
}

/** A database of a test's own. */
export type TestDatabase = {
	readonly database: PostgresDatabase;
	/** The new database's URL, for a server that a test starts. */
	readonly url: string;
	/** Closes `database` and drops the new database, even if others are connected to it. */
	close(): Promise<void>;
};
/** The server that a test's database is made on, and what it begins with. */
export type TestDatabaseOptions = {
	/**
	 * A server on which the URL's user may create databases (default: one that is started for this database alone, which
	 * takes about a second).
	 */
	readonly serverUrl?: string | undefined;
	/** The name of a database to copy (default: an empty database). Nobody may be connected to it. */
	readonly template?: string | undefined;
	readonly maxConnections?: number;
	readonly logger?: Logger;
};

/**
 * Makes a new database with a random name, for the tests of one file or one test. Any number at once is fine.
 *
 * @example
 * ```ts
 * import { openTestDatabase } from "@reelmill/postgres/testing";
 *
 * const { database, close } = await openTestDatabase();
 * console.log(await database.query({ text: "select 1 as one", values: [] })); // => [ { one: 1 } ]
 * await close();
 * ```
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
	const own = options.serverUrl ? null : await startTestServer();
	const serverUrl = own?.url ?? (options.serverUrl as string);
	const name = `test_${randomBytes(8).toString("hex")}`;
	await administer(serverUrl, `create database ${name}${options.template ? ` template "${options.template}"` : ""}`);
	const url = databaseUrl(serverUrl, name);
	const { maxConnections, logger } = options;
	const database = createPostgresDatabase({
		url,
		statementTimeoutMilliseconds,
		...(maxConnections ? { maxConnections } : {}),
		...(logger ? { logger } : {}),
	});
	return {
		database,
		url,
		async close() {
			await database.close();
			await (own ? own.close() : administer(serverUrl, `drop database if exists ${name} with (force)`));
		},
	};
}

function databaseUrl(serverUrl: string, name: string): string {
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	return url.href;
}

async function administer(serverUrl: string, text: string): Promise<void> {
	const server = createPostgresDatabase({ url: serverUrl, maxConnections: 1, statementTimeoutMilliseconds });
	try {
		await server.query({ text, values: [] });
	} finally {
		await server.close();
	}
}
