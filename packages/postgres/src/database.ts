import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Logger, Row } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";
import { Connections, type Send } from "./connections/connections.ts";
import { isVictim, toDatabaseError } from "./connections/errors.ts";
import { withoutLimits } from "./connections/server-url.ts";
import { applyMigrations } from "./migrations/apply-migrations.ts";

/** Where the database is, and what bounds its connections and statements. */
export type PostgresDatabaseOptions = {
	/**
	 * `postgres://user:password@host:port/database`. Its query may have `sslmode`, settings of the session
	 * (`statement_timeout=9000`), and `prepare`: `false` prepares no statements, `true` prepares them behind a pooler as
	 * well, which has to support that. Of several hosts, `host:port,host:port`, the one that takes writes is used;
	 * `target_session_attrs` asks for another one (`primary`, `any`).
	 */
	readonly url: string;
	/** How many connections may be open at once, each with one statement at a time (default: 10). */
	readonly maxConnections?: number;
	/**
	 * The database's address for migrations (default: `url`). Behind a pooler that ends long statements, or a role whose
	 * `statement_timeout` a pooler brings along, give the address of PostgreSQL itself: an index of a large table takes
	 * minutes.
	 */
	readonly migrationUrl?: string;
	/**
	 * How long a statement may take, the wait for a connection included, in milliseconds (default: 6000). A statement
	 * that takes longer rejects, and may still take effect. Migrations have no limit.
	 */
	readonly statementTimeoutMilliseconds?: number;
	/** Is told of lost connections and of the server's warnings, but never of a statement's values or the password. */
	readonly logger?: Logger;
};

/** The Database port, with the functions that only its owner needs. */
export type PostgresDatabase = Database & {
	/**
	 * Resolves when the server answers.
	 *
	 * @throws {DatabaseError} within 10 s when the server doesn't answer.
	 */
	ping(): Promise<void>;
	/** Returns how many statements run, each on a connection of its own, and how many wait for a connection. */
	load(): { readonly running: number; readonly waiting: number };
	/**
	 * Lets running statements end, for at most 5 s, and closes all connections. Later statements reject. Calling it twice
	 * is harmless.
	 */
	close(): Promise<void>;
};

const attempts = 6;

/**
 * Makes the engine's Database port on PostgreSQL 15 or later. It opens nothing before the first statement. Sessions run
 * in UTC.
 *
 * - A statement that is the victim of a deadlock or a serialization failure is run again, at most five times, after
 *   pauses of up to 10 ms that double.
 * - If a connection is lost, only its own statement rejects (`outcomeUnknown`); the next statement opens a new
 *   connection.
 * - A server that stops taking writes is left. A statement that it refused is sent once more, to the server that takes
 *   writes.
 * - A pooler in front of the server is recognised. Nothing of one statement is needed by the next then: no statement is
 *   prepared.
 * - A server that stops answering without closing its connections is noticed within 7 s, by a question on a new
 *   connection; within 2 s if another host has taken its place. While it answers, a statement may take
 *   `statementTimeoutMilliseconds`.
 *
 * @throws {TypeError} when `url` isn't a URL of PostgreSQL, or asks for a server that takes no writes.
 *
 * @example
 * ```ts
 * import { createPostgresDatabase } from "@reelmill/postgres";
 * import { startEmbeddedPostgres } from "@reelmill/postgres/embedded";
 *
 * const server = await startEmbeddedPostgres({ directory: "./data" });
 * const database = createPostgresDatabase({ url: server.url });
 * const rows = await database.query({ text: "select $1::int + 1 as sum", values: [2] });
 * await database.close();
 * await server.stop();
 * console.log(rows); // => [ { sum: 3 } ]
 * ```
 */
export function createPostgresDatabase(options: PostgresDatabaseOptions): PostgresDatabase {
	const { logger, statementTimeoutMilliseconds = 6000 } = options;
	const tellLost = createLostTeller(logger);
	let isRefusalTold = false;
	const shared = {
		connectTimeoutMilliseconds: 4000,
		onNotice: (notice: object) => logger?.debug(notice, "PostgreSQL says"),
		onLost: (error: unknown) => tellLost(toDatabaseError(error).message),
		onRefusedSettings: (error: unknown) => {
			if (!isRefusalTold)
				logger?.warn(
					{ error: toDatabaseError(error).message },
					"The database takes no settings with a connection: set its timeouts for the role; docs/guides/failover.md",
				);
			isRefusalTold = true;
		},
	};
	const { url, maxConnections = 10, migrationUrl = url } = options;
	const connections = new Connections({ ...shared, url, maxConnections, statementTimeoutMilliseconds });

	async function run(send: Send, on = connections): Promise<Row[]> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await on.run(send);
			} catch (error) {
				if (attempt === attempts || !isVictim(error)) throw toDatabaseError(error);
				await sleep(Math.random() * 10 * 2 ** (attempt - 1));
			}
		}
	}

	const database: PostgresDatabase = {
		async query<R extends Row>({
			text,
			values,
		}: {
			readonly text: string;
			readonly values: readonly unknown[];
		}): Promise<R[]> {
			if (values.includes(undefined))
				throw new DatabaseError("A statement's value is undefined: give null instead", {});
			if (values.length > 65_534)
				throw new DatabaseError(`A statement has ${values.length} values: PostgreSQL takes 65534`, {});
			// Type 0 leaves the type to the server, which knows it from the statement. postgres.js would guess it from the
			// value.
			const rows = await run((sql, prepare) =>
				sql.unsafe(
					text,
					values.map((value) => sql.typed(value as string, 0)),
					{ prepare, simple: false } as object,
				),
			);
			return rows as R[];
		},
		async migrate(migrations) {
			const own = new Connections({
				...shared,
				url: withoutLimits(migrationUrl),
				maxConnections: 1,
				statementTimeoutMilliseconds: null,
			});
			const script = async (text: string) => void (await run((sql) => sql.unsafe(text).simple(), own));
			try {
				await applyMigrations({ query: database.query, script, alone: script }, migrations);
			} finally {
				await own.close();
			}
		},
		async ping() {
			await database.query({ text: "select 1", values: [] });
		},
		load: () => connections.load(),
		close: () => connections.close(),
	};
	return database;
}

/**
 * Logs lost connections, each reason at most once a minute: while a server is away, every statement fails for the same
 * reason.
 */
function createLostTeller(logger: Logger | undefined): (error: string) => void {
	const told = { error: "", at: 0 };
	return (error) => {
		if (error === told.error && performance.now() - told.at < 60_000) return;
		Object.assign(told, { error, at: performance.now() });
		logger?.warn({ error }, "A connection to the database was lost");
	};
}
