-- Adds what the counts lack, and returns it: nothing if they are right. Rows and counts are of one moment, and nobody waits for it, but it reads whole tables.
create or replace function reelmill.recount() returns table (subject text, name text, change bigint) language sql as $$
	with rows (subject, name, number) as (
		select 'video', v.state, count(*) from reelmill.videos v where v.kind = 'video' and v.deleted_at is null group by 2
		union all select 'job', case when j.lock is null then 'waiting' else 'running' end, count(*) from reelmill.jobs j group by 2
		union all select 'delivery', w.status, count(*) from reelmill.webhook_deliveries w group by 2
		union all select 'publication', p.storage_profile_id::text, count(*) from reelmill.publications p where p.copied_at is null group by 2),
	wrong as (
		select d.subject, d.name, sum(d.number)::bigint as change
		from (select * from rows union all select c.subject, c.name, -c.change from reelmill.counts c) d
		group by 1, 2 having sum(d.number) <> 0)
	insert into reelmill.counts (subject, name, change) select w.subject, w.name, w.change from wrong w returning subject, name, change
$$;
