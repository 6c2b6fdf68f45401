import type { Database, Row } from "@reelmill/engine/ports";

/** Two adapters on one empty database, as two servers have them. */
export type DatabaseSubject = { readonly database: Database; readonly elsewhere: Database };

/** Runs a statement and returns its rows, without a type of their own. */
export const run = (database: Database, text: string, ...values: unknown[]): Promise<Row[]> =>
	database.query({ text, values });
