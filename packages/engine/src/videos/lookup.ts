import DataLoader from "dataloader";
import sql from "sql-template-tag";
import type { Database, Stopwatch } from "../ports/index.ts";
import { publicPlaceColumn, type VideoRecord } from "./record.ts";

/**
 * How many statements may run at once. Further lookups wait for one to end and then go together. One statement at a
 * time makes the largest batches, and a statement costs a server more than all its rows.
 */
const parallel = 1;
const largestBatch = 200;
/**
 * A lookup that has waited this long for a statement that then failed has waited for a silent database: it doesn't wait
 * once more.
 */
const silenceMilliseconds = 1000;
/**
 * Waits until the answers of a statement are sent, and what has arrived meanwhile is read: clients that got an answer
 * ask again at once, and their lookups then join the next statement.
 */
const afterAnswers = (send: () => void): void => void setImmediate(setImmediate, send);
/** An id of another form is nobody's, and must not spoil the statement of others. */
const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns a function that reads videos by id, as they are at some moment after the call. Calls that come while
 * statements run are answered by one statement together: the busier the server, the fewer statements a call costs.
 */
export function createLookup(database: Database, clock: Stopwatch): (id: string) => Promise<VideoRecord | null> {
	let running = 0;
	const waiting: (() => void)[] = [];
	let silent: { readonly error: unknown } | undefined;

	const load = async (ids: readonly string[]): Promise<(VideoRecord | null)[]> => {
		const startedAt = clock.elapsed();
		try {
			if (silent) throw silent.error;
			const rows = await database.query<VideoRecord>(sql`
				select v.*, to_jsonb(j) as job, ${publicPlaceColumn(sql`v`)} from reelmill.videos v left join reelmill.jobs j on j.id = v.id
					left join reelmill.storage_profiles p on p.id = v.storage_profile_id
				where v.id = any(${[...new Set(ids)]}::uuid[]) and v.deleted_at is null`);
			const byId = new Map(rows.map((row) => [row.id, row]));
			return ids.map((id) => byId.get(id) ?? null);
		} catch (error) {
			if (silent === undefined && clock.elapsed() - startedAt >= silenceMilliseconds) {
				silent = { error };
				for (const send of waiting.splice(0)) {
					running++;
					send();
				}
				silent = undefined;
			}
			throw error;
		} finally {
			const next = waiting.shift();
			if (next === undefined) running--;
			else afterAnswers(next);
		}
	};
	const schedule = (send: () => void): void => {
		if (running >= parallel) return void waiting.push(send);
		running++;
		setImmediate(send);
	};
	const loader = new DataLoader(load, { cache: false, maxBatchSize: largestBatch, batchScheduleFn: schedule });
	return (id) => (isUuid.test(id) ? loader.load(id) : Promise.resolve(null));
}
