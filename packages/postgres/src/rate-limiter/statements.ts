import type { Statement } from "@reelmill/engine/ports";

/**
 * What one statement brings: `granted` permits, valid until `until`; or none, and none before `until`. `at` is the time
 * that the statement used.
 */
export type Lease = { readonly granted: number; readonly until: Date; readonly at: Date };

/** The statement's time: the given one, or the database's. */
const timed =
	'with given as (select coalesce($2::timestamptz, clock_timestamp()) as at, make_interval(secs => $3::float8) as "window")';

/**
 * Leases up to `most` permits of the key's window. It leases half of what is left if that is less, so that the last
 * permits go one by one, and no process hoards what another could use. The first lease after a window's end begins the
 * next window.
 */
export const leaseOfWindow = (
	key: string,
	now: Date | null,
	windowSeconds: number,
	most: number,
	limit: number,
): Statement => ({
	text: `${timed} insert into reelmill.rate_limits as r (key, ends_at, taken, granted) select $1, at + "window", $4::int4, $4::int4 from given
		on conflict (key) do update set (ends_at, taken, granted) = (
			select w.ends_at, w.taken + l.granted, l.granted
			from (select case when r.ends_at > g.at then r.ends_at else excluded.ends_at end as ends_at,
				case when r.ends_at > g.at then r.taken else 0 end as taken from given g) w,
				lateral (select greatest(0, least($4::int4, greatest(1, ($5::int4 - w.taken) / 2), $5::int4 - w.taken)) as granted) l)
		returning granted, ends_at as until, (select at from given) as at`,
	values: [key, now, windowSeconds, most, limit],
});

/**
 * Takes one permit if fewer than `limit` were taken within the window's length before. It is exact for any such
 * stretch, for limits that are small enough to store each take.
 */
export const takeOfStretch = (key: string, now: Date | null, windowSeconds: number, limit: number): Statement => ({
	text: `${timed} insert into reelmill.rate_limits as r (key, ends_at, takes, granted) select $1, at + "window", array[at], 1 from given
		on conflict (key) do update set (ends_at, takes, granted) = (
			select case when l.granted = 1 then excluded.ends_at else r.ends_at end, case when l.granted = 1 then l.takes || excluded.takes else l.takes end, l.granted
			from (select coalesce(array_agg(t order by t), '{}') as takes, case when count(*) < $4::int4 then 1 else 0 end as granted
				from unnest(r.takes) t, given g where t > g.at - g."window") l)
		returning granted, case when granted = 1 then ends_at else takes[1] + make_interval(secs => $3::float8) end as until, (select at from given) as at`,
	values: [key, now, windowSeconds, limit],
});
