import sql, { type Sql } from "sql-template-tag";

/** A value that videos of a domain have. */
export type Valued = { readonly domainId: string; readonly key: string; readonly value: string };

/** SQL: whether the video of a statement has the value. */
export const isValued = ({ key, value }: Valued): Sql =>
	sql`exists (select from reelmill.video_values m where m.video_id = id and m.key = ${key} and m.value = ${value})`;

/**
 * SQL: the page of those videos that have the value, if `guard` holds. They are read in the list's order from the
 * value's index, each video by itself: the planner would rather go through the domain's videos. The order must be that
 * of the index's columns, so the videos' columns are named one query further out.
 */
export const selectValued = (
	{ domainId, key, value }: Valued,
	{ all, keyset, guard = sql`true` }: { all: Sql; keyset: Sql; guard?: Sql },
): Sql => sql`
	select (p.video).* from (
		select found.video from (
			select video_id as id, created_at from reelmill.video_values where domain_id = ${domainId} and key = ${key} and value = ${value}) valued
		cross join lateral (select v as video from reelmill.videos v where v.id = valued.id and ${all} offset 0) found
		where ${guard} ${keyset}) p`;
