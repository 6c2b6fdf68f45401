/**
 * SQL text with `$1`, `$2`... placeholders, and their values. `sql-template-tag` makes such statements; anything else
 * may.
 */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };
/** A row that the database gives. */
export type Row = Record<string, unknown>;

/**
 * PostgreSQL 15 or later, reached one statement at a time.
 *
 * One statement is one transaction: a change of several tables is one statement with data-modifying CTEs. No caller
 * holds a connection, so an adapter works behind a transaction pooler and survives a restart of the server.
 */
export interface Database {
	/**
	 * Runs one statement and returns its rows, in order.
	 *
	 * Values: `timestamptz` comes back as `Date`, `int8` as `number` (all of the engine's are below 2^53), `jsonb`
	 * parsed, `bytea` as `Uint8Array`. Give JavaScript objects for `jsonb` parameters, never JSON text.
	 *
	 * An adapter MUST run a statement again, a bounded number of times, if it was the victim of a deadlock or of a
	 * serialization failure. It rejects within 10 s while the server is down. It never leaves the promise pending and
	 * never ends the process.
	 *
	 * @throws {DatabaseError} when the statement had no effect, or when its connection was lost before the answer came
	 * (`outcomeUnknown`). `unavailable` says that the state of the database is the reason, and not the statement.
	 */
	query<R extends Row = Row>(statement: Statement): Promise<R[]>;

	/**
	 * Applies the migrations that are not applied yet, in order of their names. Each runs in one transaction, under a
	 * lock that all servers of one database share. If several servers call it at once, each migration is applied exactly
	 * once and every call resolves after it. A migration that fails leaves nothing of itself.
	 *
	 * An adapter MUST NOT let a migration wait long for a table's lock, because later statements would wait behind it: it
	 * gives up and begins again. Statements `create index concurrently NAME on SCHEMA.TABLE ...` and `drop index
	 * concurrently if exists ...` at a migration's beginning run one by one before the rest, while the table is written
	 * to; an index that an interrupted migration left invalid is built anew.
	 */
	migrate(migrations: readonly Migration[]): Promise<void>;
}

/**
 * Plain SQL of several statements, run as one transaction but for indexes at the beginning that are built concurrently.
 */
export type Migration = { readonly name: string; readonly text: string };

type DatabaseErrorOptions = {
	code?: string | undefined;
	constraint?: string | undefined;
	outcomeUnknown?: boolean;
	unavailable?: boolean;
	cause?: unknown;
};

/**
 * The server refused a statement, or the connection was lost. `code` is PostgreSQL's SQLSTATE if there is one.
 *
 * @example
 * ```ts
 * import { DatabaseError, unavailableIn } from "@reelmill/engine";
 *
 * const error = new DatabaseError("the database system is starting up", { code: "57P03", unavailable: true });
 * console.log(unavailableIn(error)); // => database
 * ```
 */
export class DatabaseError extends Error {
	override readonly name = "DatabaseError";
	readonly code: string | undefined;
	readonly constraint: string | undefined;
	/** The connection was lost before the answer came: the statement may or may not have taken effect. */
	readonly outcomeUnknown: boolean;
	/**
	 * The database is away, starting, read-only, full, out of connections or too slow. Any statement would fail now; a
	 * later one can succeed.
	 */
	readonly unavailable: boolean;
	constructor(message: string, options: DatabaseErrorOptions) {
		super(message, { cause: options.cause });
		this.code = options.code;
		this.constraint = options.constraint;
		this.outcomeUnknown = options.outcomeUnknown ?? false;
		this.unavailable = options.unavailable ?? false;
	}
}
