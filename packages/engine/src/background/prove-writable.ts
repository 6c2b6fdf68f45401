import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/**
 * Resolves when the database has taken a write, durably and into new room. Rejects where it is away, read-only or full.
 * Done by many at once, none waits for another.
 */
export type ProveWritable = () => Promise<void>;

export function createProveWritable({ database }: Parts): ProveWritable {
	return async () => {
		await database.query(sql`select reelmill.prove_writable()`);
	};
}
