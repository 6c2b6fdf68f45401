import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { createWalk, type Place } from "./walk.ts";

/**
 * Forgets storage profiles, and their keys, once they have not been chosen anew for `afterSeconds`: profiles that no
 * domain stores in, in which no video lies, and from which no bytes are to be deleted. It holds the domain's lock, as a
 * choice of storage does.
 */
export function createForgetProfiles(
	{ database, clock }: Parts,
	{ afterSeconds }: { afterSeconds: number },
): () => Promise<void> {
	const step = async (after: Place, most: number) => {
		const before = new Date(clock.now() - afterSeconds * 1000);
		const [row] = await database.query<{ seen: number; at: string; id: string }>(sql`
			with due as materialized (
				select p.id, p.created_at as at from reelmill.storage_profiles p
				where p.created_at <= ${before} and (p.created_at, p.id) > (${after.at}::timestamptz, ${after.id}::uuid) order by p.created_at, p.id limit ${most}),
			gone as (
				delete from reelmill.storage_profiles where id = any(array(
					select p.id from due join reelmill.storage_profiles p on p.id = due.id join reelmill.domains d on d.id = p.domain_id
					where d.storage_profile_id is distinct from p.id and (p.last_verified_at is null or p.last_verified_at <= ${before})
						and not exists (select from reelmill.videos v where v.storage_profile_id = p.id)
						and not exists (select from reelmill.deletions n where n.storage_profile_id = p.id)
					for update of d, p skip locked)))
			select (select count(*)::integer from due) as seen, at::text, id from due order by due.at desc, due.id desc limit 1`);
		return row === undefined ? { seen: 0, last: null } : { seen: row.seen, last: row };
	};
	return createWalk(step, { most: 50, steps: 1 });
}
