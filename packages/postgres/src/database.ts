import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Logger, Row } from "@reelmill/engine/ports";
import { DatabaseError } from "@reelmill/engine/ports";
import { Connections, type Send } from "./connections.ts";
import { isVictim, toDatabaseError } from "./errors.ts";
import { applyMigrations } from "./migrations.ts";

export type PostgresDatabaseOptions = {
	/**
	 * `postgres://user:password@host:port/database`. `sslmode` and, behind a pooler without prepared statements,
	 * `prepare=false` may follow as its query, and settings of the session (`statement_timeout=9000`). Of several hosts,
	 * `host:port,host:port`, the one that takes writes is used; `target_session_attrs` asks for another one (`primary`,
	 * `any`).
	 */
	readonly url: string;
	/** Connections at most, each with one statement at a time. Default 10. */
	readonly maxConnections?: number;
	/**
	 * How long a statement may take, the wait for a connection included, in milliseconds; what takes longer rejects, and
	 * may still take effect. Not of migrations. Default 6000.
	 */
	readonly statementTimeoutMilliseconds?: number;
	/**
	 * Told of connections that were lost and of the server's warnings. Never given a statement's values or the password.
	 */
	readonly logger?: Logger;
};

/** The port, and what only its owner needs. */
export type PostgresDatabase = Database & {
	/** Resolves when the server answers; rejects with a DatabaseError, within 10 s, when it doesn't. */
	ping(): Promise<void>;
	/** Lets running statements end (5 s at most) and closes all connections. Later statements reject. Twice is fine. */
	close(): Promise<void>;
};

const attempts = 6;
/** A day, within what timers take: a migration of a large table takes as long as it takes. */
const migrationMilliseconds = 86_400_000;

/**
 * The engine's Database port on PostgreSQL 15 or later. It opens nothing before the first statement.
 *
 * Sessions run in UTC. A statement refused as a deadlock's or serialization failure's victim is run again, five times
 * at most, after a pause of up to 10 ms that doubles. A connection lost under a statement rejects that statement alone
 * (`outcomeUnknown`); the next statement opens a new one. A server that takes no writes any more is left: a statement
 * that it refused is sent once more, to the server that does. A server that stops answering without closing its
 * connections is noticed within 7 s by asking on a new connection; where another host has taken its place, within 2 s.
 * While it answers a statement may take `statementTimeoutMilliseconds`: whoever waits for a request waits for several
 * of them.
 *
 * @throws TypeError when `url` isn't one of PostgreSQL, or asks for a server that takes no writes.
 */
export function createPostgresDatabase(options: PostgresDatabaseOptions): PostgresDatabase {
	const { logger } = options;
	const tellLost = createLostTeller(logger);
	const connections = new Connections({
		url: options.url,
		maxConnections: options.maxConnections ?? 10,
		connectTimeoutMilliseconds: 4000,
		statementTimeoutMilliseconds: options.statementTimeoutMilliseconds ?? 6000,
		onNotice: (notice) => logger?.debug(notice, "PostgreSQL says"),
		onLost: (error) => tellLost(toDatabaseError(error).message),
		onRefusedSettings: (error) =>
			logger?.warn(
				{ error: toDatabaseError(error).message },
				"The database takes no settings with a connection: set its timeouts for the role; docs/guides/failover.md",
			),
	});

	async function run(send: Send, milliseconds?: number): Promise<Row[]> {
		for (let attempt = 1; ; attempt++) {
			try {
				return await connections.run(send, milliseconds);
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
			// Type 0 leaves the type to the server, which knows it from the statement; postgres.js would guess it from the
			// value.
			const rows = await run((sql) =>
				sql.unsafe(
					text,
					values.map((value) => sql.typed(value as string, 0)),
					{ prepare: true, simple: false } as object,
				),
			);
			return rows as R[];
		},
		async migrate(migrations) {
			await applyMigrations(
				{
					query: (statement) => database.query(statement),
					script: async (text) => void (await run((sql) => sql.unsafe(text).simple(), migrationMilliseconds)),
				},
				migrations,
			);
		},
		async ping() {
			await database.query({ text: "select 1", values: [] });
		},
		close: () => connections.close(),
	};
	return database;
}

/**
 * Tells of lost connections, of the same reason once a minute: while a server is away, each statement finds the same.
 */
function createLostTeller(logger: Logger | undefined): (error: string) => void {
	const told = { error: "", at: 0 };
	return (error) => {
		if (error === told.error && performance.now() - told.at < 60_000) return;
		Object.assign(told, { error, at: performance.now() });
		logger?.warn({ error }, "A connection to the database was lost");
	};
}
