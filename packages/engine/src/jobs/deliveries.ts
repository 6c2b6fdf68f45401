import sql from "sql-template-tag";
import type { Database } from "../ports/index.ts";
import type { Discard, StoredOutputs, VideoRecord } from "../videos/index.ts";
import { attemptPrefix, deliveryPrefix } from "./outputs.ts";

/** Those who began to read what is replaced get so long to end. */
export const readingSeconds = 30;

/**
 * From now on the attempt completes with the archive stored as `delivery`. Answers what that takes the place of, noted
 * for deletion; null where `lock` isn't the job's any more: then nothing is changed. A completion with an earlier
 * archive is saved before this, or not at all.
 */
export async function nameDelivery(
	database: Database,
	{ id, domain_id, storage_profile_id }: VideoRecord,
	{ lock, delivery, now }: { readonly lock: string; readonly delivery: string; readonly now: Date },
): Promise<Discard[] | null> {
	const [named] = await database.query<{ replaced: string | null }>(sql`
		with held as (select id, delivery from reelmill.jobs where id = ${id} and lock = ${lock} for update),
		named as (update reelmill.jobs j set delivery = ${delivery} from held where j.id = held.id returning j.id),
		noted as (
			insert into reelmill.deletions (kind, reference, storage_profile_id, created_at)
			select 'outputs', ${attemptPrefix(domain_id, id, lock)}::text || delivery || '/', ${storage_profile_id}::uuid, ${now}::timestamptz
			from held where delivery is not null returning id)
		select delivery as replaced from held`);
	if (named === undefined) return null;
	return named.replaced === null
		? []
		: [{ kind: "outputs", reference: deliveryPrefix(domain_id, id, lock, named.replaced) }];
}

/**
 * From now on these files are what can be played of the attempt, until it ends. Answers what they take the place of,
 * noted for deletion; null where `lock` isn't the job's any more: then nothing is changed.
 */
export async function namePlayable(
	database: Database,
	{ id, storage_profile_id }: VideoRecord,
	{
		lock,
		playable,
		now,
	}: { readonly lock: string; readonly playable: Pick<StoredOutputs, "prefix" | "files">; readonly now: Date },
): Promise<Discard[] | null> {
	const later = new Date(now.getTime() + readingSeconds * 1000);
	const [named] = await database.query<{ replaced: string | null }>(sql`
		with held as (select id, playable ->> 'prefix' as prefix from reelmill.jobs where id = ${id} and lock = ${lock} for update),
		named as (update reelmill.jobs j set playable = ${playable}::jsonb from held where j.id = held.id returning j.id),
		noted as (
			insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
			select 'outputs', prefix, ${storage_profile_id}::uuid, ${now}::timestamptz, ${later}::timestamptz from held where prefix is not null returning id)
		select prefix as replaced from held`);
	if (named === undefined) return null;
	return named.replaced === null ? [] : [{ kind: "outputs", reference: named.replaced, laterSeconds: readingSeconds }];
}
