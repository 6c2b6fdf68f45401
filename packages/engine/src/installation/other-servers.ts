import sql from "sql-template-tag";
import type { StorageMark } from "../ports/index.ts";
import type { Parts } from "../system/index.ts";

/** What this server knows of the others on its database. */
export type OtherServers = {
	/**
	 * Makes this server known, and looks whether another one has another local storage while domains store there. If so,
	 * it tells the operator: a file that one of the servers takes, the others don't have. It tells once, until that is
	 * over.
	 */
	look(): Promise<void>;
};

/** How long a server counts as there after it was seen last, in milliseconds. Each is seen once a minute. */
const seenMilliseconds = 150_000;

export function createOtherServers(
	{ database, clock, random, logger }: Parts,
	{ mark }: { mark: StorageMark },
): OtherServers {
	const id = random.uuid();
	let isTold = false;
	return {
		async look() {
			const own = await mark.read();
			if (own === null) return;
			const now = new Date(clock.now());
			const since = new Date(clock.now() - seenMilliseconds);
			const [found] = await database.query<{ elsewhere: boolean; in_use: boolean }>(sql`
				with gone as (delete from reelmill.servers_seen s where s.seen_at < ${since}),
				self as (
					insert into reelmill.servers_seen as s (id, storage_mark, seen_at) values (${id}, ${own}, ${now})
					on conflict (id) do update set storage_mark = excluded.storage_mark, seen_at = excluded.seen_at)
				select exists (select from reelmill.servers_seen s where s.storage_mark <> ${own} and s.id <> ${id} and s.seen_at >= ${since}) as elsewhere,
					exists (select from reelmill.domains d where d.deleted_at is null and d.storage_profile_id is null) as in_use`);
			const isWrong = found?.elsewhere === true && found.in_use;
			if (isWrong && !isTold)
				logger.warn(
					{ own },
					"another server on this database has another data directory, and there are domains that store on the local disk: " +
						"share one data directory, or store in buckets; docs/guides/operations.md",
				);
			isTold = isWrong;
		},
	};
}
