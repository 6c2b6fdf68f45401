import { LRUCache } from "lru-cache";
import sql from "sql-template-tag";
import type { StorageError } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";
import type { ProfileRow } from "./profile.ts";

/**
 * Keeps `last_error` and `last_verified_at` true by what real use of a profile comes to. It never rejects: what it
 * can't write is logged, and what takes longer than a second is written without whoever used the profile.
 */
export type Health = {
	/** It did its part. Written where an error was noted, or the last proof is a minute old. */
	works(row: ProfileRow): Promise<void>;
	/** It didn't. Written where another error was noted, or none. */
	fails(row: ProfileRow, error: StorageError): Promise<void>;
	/** How often it was told of a failure. */
	failures(): number;
};

const provenMilliseconds = 60_000;
/**
 * Before another failure of a profile is noted by this process, so that a storage which sometimes works costs little
 * more than one that never does.
 */
const quietMilliseconds = 1000;
const noteMilliseconds = 1000;

export function createHealth(
	{ database, clock, logger }: Parts,
	{
		forget,
		wait,
	}: {
		/** Forgets what is remembered of a profile, which was changed. */
		forget: (id: string) => void;
		/** Waits for work that goes on by itself, for so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): Health {
	const proving = new Set<string>();
	const written = new LRUCache<string, number>({ max: 10_000 });
	const isQuiet = ({ id }: ProfileRow): boolean =>
		clock.elapsed() - (written.get(id) ?? Number.NEGATIVE_INFINITY) < quietMilliseconds;

	/** A change of the key in the meantime makes what the key before came to worthless. */
	const write = async (row: ProfileRow, error: StorageError | null): Promise<void> => {
		if (error !== null) written.set(row.id, clock.elapsed());
		try {
			const verifiedAt = error === null ? sql`${new Date(clock.now())}::timestamptz` : sql`last_verified_at`;
			await database.query(sql`
				update reelmill.storage_profiles set last_error = ${error?.message.slice(0, 1000) ?? null}, last_fault = ${error?.fault ?? null}, last_verified_at = ${verifiedAt}
				where id = ${row.id} and revision = ${row.revision}`);
			forget(row.id);
		} catch (cause) {
			logger.warn({ error: cause, profileId: row.id }, "a storage's state could not be noted");
		}
	};

	let failures = 0;

	return {
		failures: () => failures,
		async works(row) {
			const isNews =
				row.last_error !== null || (row.last_verified_at?.getTime() ?? 0) + provenMilliseconds <= clock.now();
			if (!isNews || proving.has(row.id)) return;
			proving.add(row.id);
			await wait(() => write(row, null).finally(() => proving.delete(row.id)), noteMilliseconds);
		},
		async fails(row, error) {
			failures++;
			if (row.last_error === error.message && row.last_fault === error.fault) return;
			if (isQuiet(row)) return;
			logger.warn(
				{ profileId: row.id, domainId: row.domain_id, fault: error.fault, reason: error.message },
				"a storage fails",
			);
			await wait(() => write(row, error), noteMilliseconds);
		},
	};
}
