import type { Sql } from "sql-template-tag";
import sql from "sql-template-tag";
import type { Database, Row, Stopwatch } from "../ports/index.ts";

const largestBatch = 200;
/**
 * A lookup that has waited this long for a statement that then failed has waited for a silent database: it doesn't wait
 * once more.
 */
const silenceMilliseconds = 1000;
/** An id of another form is nobody's, and must not spoil the statement of others. */
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

type Call<R> = { readonly id: string; resolve(row: R | null): void; reject(error: unknown): void };

/**
 * Returns a function that reads videos by id, as they are at some moment after the call. Calls that come while a
 * statement runs are answered by the next one together: the busier the server, the fewer statements a call costs, and a
 * statement costs a server more than all its rows. `select` is the beginning of the statement, up to its condition on
 * the videos `v`.
 */
export function createLookup<R extends Row & { readonly id: string }>(
	{ database, clock }: { readonly database: Database; readonly clock: Stopwatch },
	select: Sql,
): (id: string) => Promise<R | null> {
	let isRunning = false;
	let waiting: Call<R>[] = [];

	const send = async (): Promise<void> => {
		const calls = waiting.splice(0, largestBatch);
		const startedAt = clock.elapsed();
		try {
			const ids = calls.map(({ id }) => id);
			const rows = await database.query<R>(sql`${select} where v.id = any(${ids}::uuid[]) and v.deleted_at is null`);
			const byId = new Map(rows.map((row) => [row.id, row]));
			for (const { id, resolve } of calls) resolve(byId.get(id) ?? null);
		} catch (error) {
			for (const { reject } of calls) reject(error);
			if (clock.elapsed() - startedAt >= silenceMilliseconds) {
				for (const { reject } of waiting) reject(error);
				waiting = [];
			}
		}
		// After the answers are sent, and what has arrived meanwhile is read: clients that got an answer ask again at once,
		// and their lookups then join the next statement.
		if (waiting.length > 0) setImmediate(setImmediate, send);
		else isRunning = false;
	};

	return (id) => {
		if (!isUuid.test(id)) return Promise.resolve(null);
		return new Promise((resolve, reject) => {
			waiting.push({ id, resolve, reject });
			if (isRunning) return;
			isRunning = true;
			setImmediate(send);
		});
	};
}
