import type { Row, Statement } from "@reelmill/engine/ports";

/** Runs what migrations consist of, on connections without a limit of time. */
export type Runner = {
	query(statement: Statement): Promise<Row[]>;
	/** Sends several statements in one message of the simple protocol, which PostgreSQL runs as one transaction. */
	script(text: string): Promise<void>;
	/** Sends one statement that is no part of a transaction. */
	alone(text: string): Promise<void>;
};

/**
 * Begins a script that takes any time, but waits for no lock longer than this: whoever comes later to the same table
 * would wait behind it.
 */
export const withBriefLocks = "set local statement_timeout = 0; set local lock_timeout = '400ms'";
