import { setImmediate } from "node:timers/promises";
import type { Database } from "@reelmill/engine";

const sleeping = "from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'";
const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Holds the row, or the table, of a query as a statement does that is at work on it. Resolves once it is held. */
export async function holdRow(database: Database, row: string, ...values: unknown[]) {
	const query = (text: string, given: unknown[] = []) => database.query({ text, values: given });
	const held = query(`with held as materialized (${row}) select pg_sleep(60) from held`, values).catch(() => undefined);
	const count = async (text: string, least: number) => {
		while ((await query(text)).length < least) await setImmediate();
	};
	await count(`select ${sleeping}`, 1);
	return {
		/** Resolves once so many statements wait for a lock. */
		waiters: (least: number) => count(waiting, least),
		async letGo() {
			await query(`select pg_cancel_backend(pid) ${sleeping}`);
			await held;
		},
	};
}
