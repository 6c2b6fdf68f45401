import sql from "sql-template-tag";
import type { Parts } from "../system/index.ts";
import { deleteDeliveries, deleteInBatches } from "./batches.ts";
import { createWalk, type Place } from "./walk.ts";

type Purged = Place & { readonly has_videos: boolean };

/**
 * Forgets deleted domains whose last video is forgotten, with everything of theirs: webhook log, usage, keys,
 * revocations, outros, storage profiles. While bytes are still to be deleted in one of its buckets, the domain stays,
 * because its profile says how to get there. Several servers may call it at once.
 */
export function createForgetDomains({ database }: Parts): () => Promise<void> {
	const forget = async (id: string): Promise<void> => {
		await deleteDeliveries(database, id);
		await deleteInBatches(database, sql`reelmill.usage_days`, sql`domain_id = ${id}`);
		await database.query(sql`
			with over as (
				select d.id from reelmill.domains d where d.id = ${id} and d.purged_at is not null
					and not exists (select from reelmill.videos v where v.domain_id = d.id)
					and not exists (select from reelmill.webhook_deliveries w where w.domain_id = d.id)
					and not exists (select from reelmill.usage_days u where u.domain_id = d.id)
					and not exists (select from reelmill.storage_profiles p join reelmill.deletions n on n.storage_profile_id = p.id where p.domain_id = d.id)
				for update of d skip locked),
			keys as (delete from reelmill.domain_keys where domain_id in (select id from over)),
			revocations as (delete from reelmill.playback_revocations where domain_id in (select id from over)),
			outros as (delete from reelmill.outros where domain_id in (select id from over)),
			profiles as (delete from reelmill.storage_profiles where domain_id in (select id from over))
			delete from reelmill.domains where id in (select id from over)`);
	};
	const step = async (after: Place, most: number) => {
		const purged = await database.query<Purged>(sql`
			select d.id, d.purged_at::text as at, exists (select from reelmill.videos v where v.domain_id = d.id) as has_videos
			from reelmill.domains d where d.purged_at is not null and (d.purged_at, d.id) > (${after.at}::timestamptz, ${after.id}::uuid)
			order by d.purged_at, d.id limit ${most}`);
		for (const { id, has_videos } of purged) if (!has_videos) await forget(id);
		return { seen: purged.length, last: purged.at(-1) ?? null };
	};
	return createWalk(step, { most: 50, steps: 2 });
}
