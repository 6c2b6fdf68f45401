import sql, { type Sql } from "sql-template-tag";
import { eachApart } from "../../background/index.ts";
import type { Parts } from "../../system/index.ts";
import { target } from "../../videos/index.ts";

export type Admission = {
	/**
	 * Moves the oldest uploaded videos of this domain to the queue while it has free processing slots, and returns how
	 * many. The limit holds also if many servers admit at once.
	 */
	admit(domainId: string): Promise<number>;
	/** Does the same for every domain with a waiting video. */
	admitAll(): Promise<number>;
	/** SQL: whether any video waits for a processing slot. */
	isAnyWaiting(): Sql;
};

/** Lets videos into the queue: at most `max_concurrent_processing` of a domain are queued, locked or encoding. */
export function createAdmission({ database, clock, logger }: Parts, { onQueued }: { onQueued: () => void }): Admission {
	/**
	 * Locks the video before its domain, as every other change does. The slot is a guarded counter, so that a statement
	 * which waited for the lock can't exceed the limit. The statement waits for a video that another one holds: if it
	 * skipped the video, a younger one would go first, or this one would stay behind.
	 */
	const admitOne = async (domainId: string): Promise<boolean> => {
		const now = new Date(clock.now());
		const rows = await database.query(sql`
			with picked as (
				select id, domain_id, kind, (session_id is not null)::integer::smallint as rank from reelmill.videos where domain_id = ${domainId} and state = 'uploaded' and deleted_at is null
				order by uploaded_at, id limit 1 for update),
			slot as (
				update reelmill.domains d set processing_count = d.processing_count + 1, last_turn = greatest(d.last_turn + 1, reelmill.present_turn(picked.rank))
				from picked where d.id = picked.domain_id and d.deleted_at is null and d.processing_count < d.max_concurrent_processing returning d.id, d.last_turn),
			moved as (
				update reelmill.videos v set state = ${target("uploaded", "admit")}, version = v.version + 1, updated_at = ${now}
				from picked, slot where v.id = picked.id returning v.id, v.domain_id, v.kind, v.uploaded_at, picked.rank, slot.last_turn)
			insert into reelmill.jobs (id, kind, domain_id, rank, turn, waiting_since, queued_at, not_before)
				select id, kind, domain_id, rank, last_turn, uploaded_at, ${now}::timestamptz, ${now}::timestamptz from moved returning id`);
		return rows.length > 0;
	};
	const admit: Admission["admit"] = async (domainId) => {
		let admitted = 0;
		while (await admitOne(domainId)) admitted++;
		if (admitted > 0) onQueued();
		return admitted;
	};
	return {
		admit,
		isAnyWaiting: () => sql`exists (select from reelmill.videos where state = 'uploaded' and deleted_at is null)`,
		async admitAll() {
			const domains = await database.query<{ id: string }>(sql`
				select d.id from reelmill.domains d where d.deleted_at is null and d.processing_count < d.max_concurrent_processing
					and exists (select from reelmill.videos v where v.domain_id = d.id and v.state = 'uploaded' and v.deleted_at is null)`);
			let admitted = 0;
			await eachApart(domains, { logger, task: "admit" }, async ({ id }) => {
				admitted += await admit(id);
			});
			return admitted;
		},
	};
}
