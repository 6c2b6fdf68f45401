import { LRUCache } from "lru-cache";
import sql from "sql-template-tag";
import { atMost } from "../../caches/index.ts";
import type { StorageError } from "../../ports/index.ts";
import type { Parts } from "../../system/index.ts";
import type { ProfileRow } from "../profiles/profile.ts";

/**
 * Keeps `last_error` and `last_verified_at` of a profile true to what its use comes to. It never rejects: a note that
 * can't be written is logged. Whoever used the profile waits for the note for a second at most.
 */
export type Health = {
	/** Notes that the profile worked, if an error was noted, or if the last proof is a minute old. */
	works(row: ProfileRow): Promise<void>;
	/** Notes that the profile failed, unless the same error is noted already. */
	fails(row: ProfileRow, error: StorageError): Promise<void>;
	/** Returns how many failures it was told of. */
	failures(): number;
};

const provenMilliseconds = 60_000;
/**
 * How long this process waits before it notes another failure of a profile: a storage that works now and then must not
 * cost much more than one that never does.
 */
const quietMilliseconds = 1000;
const noteMilliseconds = 1000;

export function createHealth(
	{ database, clock, logger }: Parts,
	{
		forget,
		wait,
	}: {
		/** Forgets what is remembered of a profile that was changed. */
		forget: (id: string) => void;
		/** Waits for work that goes on by itself, for so many milliseconds. */
		wait: (work: () => Promise<void>, milliseconds: number) => Promise<void>;
	},
): Health {
	const proving = new Set<string>();
	const written = new LRUCache<string, number>(atMost(10_000));
	const isQuiet = ({ id }: ProfileRow): boolean =>
		clock.elapsed() - (written.get(id) ?? Number.NEGATIVE_INFINITY) < quietMilliseconds;

	/** If the key was changed meanwhile, what the key before came to is worthless. */
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
