import type { Statement } from "@reelmill/engine/ports";

/** What one statement brings: `granted` tokens, good until `until`; or none, and none before `until`. */
export type Lease = { readonly granted: number; readonly until: Date };

/**
 * Leases up to `most` tokens of the key's window: half of what is left when that is less, so that the last ones go one by one
 * and no process hoards what another could use. The first lease after a window's end begins the next one.
 */
export const leaseOfWindow = (key: string, now: Date, endsAt: Date, most: number, limit: number): Statement => ({
	text: `insert into reelmill.rate_limits as r (key, ends_at, taken, granted) values ($1, $2::timestamptz, $3::int4, $3::int4)
		on conflict (key) do update set (ends_at, taken, granted) = (
			select w.ends_at, w.taken + l.granted, l.granted
			from (select case when r.ends_at > $4::timestamptz then r.ends_at else excluded.ends_at end as ends_at,
				case when r.ends_at > $4::timestamptz then r.taken else 0 end as taken) w,
				lateral (select greatest(0, least($3::int4, greatest(1, ($5::int4 - w.taken) / 2), $5::int4 - w.taken)) as granted) l)
		returning granted, ends_at as until`,
	values: [key, endsAt, most, now, limit],
});

/** Takes one token, if fewer than `limit` were taken after `since`: exact in any stretch of the window's length, for limits small enough to keep each take. */
export const takeOfStretch = (key: string, now: Date, endsAt: Date, since: Date, limit: number): Statement => ({
	text: `insert into reelmill.rate_limits as r (key, ends_at, takes, granted) values ($1, $2::timestamptz, array[$3::timestamptz], 1)
		on conflict (key) do update set (ends_at, takes, granted) = (
			select case when l.granted = 1 then excluded.ends_at else r.ends_at end, case when l.granted = 1 then l.takes || excluded.takes else l.takes end, l.granted
			from (select coalesce(array_agg(t order by t), '{}') as takes, case when count(*) < $5::int4 then 1 else 0 end as granted
				from unnest(r.takes) t where t > $4::timestamptz) l)
		returning granted, case when granted = 1 then ends_at else takes[1] + ($2::timestamptz - $3::timestamptz) end as until`,
	values: [key, endsAt, now, since, limit],
});
