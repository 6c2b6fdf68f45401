import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";

/**
 * Resolves when the database has stored a write durably, in newly allocated space. Rejects if the database is
 * unreachable, read-only or full. Callers at the same time don't wait for each other.
 */
export type ProveWritable = () => Promise<void>;

export function createProveWritable({ database }: Parts): ProveWritable {
	return async () => {
		await database.query(sql`select reelmill.prove_writable()`);
	};
}
