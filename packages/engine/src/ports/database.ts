/** SQL text with `$1`, `$2`… placeholders and their values. `sql-template-tag` makes these; so can anything else. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };
export type Row = Record<string, unknown>;

/**
 * PostgreSQL 15 or later, reached one statement at a time.
 *
 * One statement is one transaction: a change that touches several tables is one statement with data-modifying CTEs.
 * There is no way to hold a connection, so an adapter works behind a transaction pooler and survives a server that
 * restarts.
 */
export interface Database {
	/**
	 * Runs one statement and answers its rows, in order.
	 *
	 * Values: `timestamptz` comes back as `Date`, `int8` as `number` (all of ours are below 2^53), `jsonb` parsed,
	 * `bytea` as `Uint8Array`; JavaScript objects MUST be given for `jsonb` parameters, never JSON text. When it rejects,
	 * the statement had no effect, or its connection was lost before the answer came (`DatabaseError` with
	 * `outcomeUnknown`). When the reason is the state of the database and not the statement, the error says
	 * `unavailable`. A statement that was a deadlock's or a serialization failure's victim MUST be run again, a bounded
	 * number of times. While the server is down it rejects within 10 s; it never leaves the promise pending and never
	 * ends the process.
	 */
	query<R extends Row = Row>(statement: Statement): Promise<R[]>;

	/**
	 * Applies the migrations not yet applied, in order of their names, each in one transaction, under a lock that all
	 * servers of one database share. Done at once by many servers, each migration is applied exactly once and all calls
	 * resolve after it. A failing one leaves nothing of itself.
	 */
	migrate(migrations: readonly Migration[]): Promise<void>;
}

/** Plain SQL of several statements, run as one transaction. */
export type Migration = { readonly name: string; readonly text: string };

type DatabaseErrorOptions = {
	code?: string | undefined;
	constraint?: string | undefined;
	outcomeUnknown?: boolean;
	unavailable?: boolean;
	cause?: unknown;
};

/**
 * A statement that the server refused, or whose connection was lost. `code` is PostgreSQL's SQLSTATE where there is
 * one.
 */
export class DatabaseError extends Error {
	override readonly name = "DatabaseError";
	readonly code: string | undefined;
	readonly constraint: string | undefined;
	/** The connection broke before the answer came: the statement may or may not have taken effect. */
	readonly outcomeUnknown: boolean;
	/**
	 * The database is away, starting, read-only, full, out of connections or too slow: any statement would fail, and a
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
