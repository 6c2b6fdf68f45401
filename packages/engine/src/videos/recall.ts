import sql from "sql-template-tag";
import { isKept, keyOfAnother, type Repeatable } from "../idempotency/index.ts";
import type { Clock, Database } from "../ports/index.ts";
import type { VideoRecord } from "./record.ts";

type Times = "created_at" | "updated_at" | "expires_at";
type LaterTimes = "uploaded_at";
/** A record as it was when it was created, in JSON. It had no job yet. */
export type KeptRecord = Omit<VideoRecord, Times | LaterTimes | "job" | "public_place"> & {
	readonly [T in Times]: string;
} & { readonly [T in LaterTimes]: string | null };

/** What a key created. */
export type Recalled = { readonly kept: KeptRecord; readonly serving_outro_id: string | null };

/**
 * Creates the look-up of what a key created; it returns `null` if the key is unused. It comes before every check of the
 * request: limits may have changed since, and the answer must not.
 *
 * @throws {ReelmillError} `validation_error` when the key was used for another request.
 */
export function createRecall({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
	return async (asked: Repeatable): Promise<Recalled | null> => {
		const [found] = await database.query<Recalled & { isSame: boolean }>(sql`
			select k.record as kept, k.serving_outro_id, k.request = ${asked.request}::bytea as "isSame"
			from reelmill.idempotency_keys k where ${isKept(asked, clock)}`);
		if (found !== undefined && !found.isSame) throw keyOfAnother();
		return found ?? null;
	};
}

/** Returns the record as it was when it was created. */
export const revived = (kept: KeptRecord): VideoRecord => ({
	...kept,
	created_at: new Date(kept.created_at),
	updated_at: new Date(kept.updated_at),
	expires_at: new Date(kept.expires_at),
	uploaded_at: kept.uploaded_at === null ? null : new Date(kept.uploaded_at),
	// A record that an earlier version kept has none.
	traceparent: kept.traceparent ?? null,
	request_id: kept.request_id ?? null,
	public_place: null,
	job: null,
});
