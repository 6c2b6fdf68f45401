import sql, { type Sql } from "sql-template-tag";
import type { Database } from "../../ports/index.ts";
import { attemptPrefix, type Discard, type StoredOutputs, type VideoRecord } from "../../videos/index.ts";
import { archivePrefix } from "./outputs.ts";

/** Viewers who are reading files that were replaced have this long to finish. */
export const readingSeconds = 30;

/**
 * Makes `archive` the one that the attempt completes with. Returns what it replaces, which is noted for deletion;
 * returns null and changes nothing if `lock` is no longer the job's. A completion with the earlier archive is saved
 * before this change, or not at all.
 */
export async function nameArchive(
	database: Database,
	{ id, domain_id, storage_profile_id }: VideoRecord,
	{
		lock,
		archive,
		now,
		unnoted,
	}: { readonly lock: string; readonly archive: string; readonly now: Date; readonly unnoted: Sql },
): Promise<Discard[] | null> {
	const [named] = await database.query<{ replaced: string | null }>(sql`
		with held as (select id, delivery from reelmill.jobs where id = ${id} and lock = ${lock} for update),
		named as (update reelmill.jobs j set delivery = ${archive} from held where j.id = held.id returning j.id),
		${unnoted},
		noted as (
			insert into reelmill.deletions (kind, reference, storage_profile_id, created_at)
			select 'outputs', ${attemptPrefix(domain_id, id, lock)}::text || delivery || '/', ${storage_profile_id}::uuid, ${now}::timestamptz
			from held where delivery is not null returning id)
		select delivery as replaced from held`);
	if (named === undefined) return null;
	return named.replaced === null
		? []
		: [{ kind: "outputs", reference: archivePrefix(domain_id, id, lock, named.replaced) }];
}

/**
 * Makes these files what viewers may play until the attempt ends. Returns what they replace, which is noted for
 * deletion; returns null and changes nothing if `lock` is no longer the job's.
 */
export async function namePlayable(
	database: Database,
	{ id, storage_profile_id }: VideoRecord,
	{
		lock,
		playable,
		now,
		unnoted,
	}: {
		readonly lock: string;
		readonly playable: Pick<StoredOutputs, "prefix" | "files">;
		readonly now: Date;
		readonly unnoted: Sql;
	},
): Promise<Discard[] | null> {
	const later = new Date(now.getTime() + readingSeconds * 1000);
	const [named] = await database.query<{ replaced: string | null }>(sql`
		with held as (select id, playable ->> 'prefix' as prefix from reelmill.jobs where id = ${id} and lock = ${lock} for update),
		named as (update reelmill.jobs j set playable = ${playable}::jsonb from held where j.id = held.id returning j.id),
		${unnoted},
		noted as (
			insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
			select 'outputs', prefix, ${storage_profile_id}::uuid, ${now}::timestamptz, ${later}::timestamptz from held where prefix is not null returning id)
		select prefix as replaced from held`);
	if (named === undefined) return null;
	return named.replaced === null ? [] : [{ kind: "outputs", reference: named.replaced, laterSeconds: readingSeconds }];
}
