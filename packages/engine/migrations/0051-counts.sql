-- Expand: a table of counts, and the triggers that keep it.
-- Compatible from 0027: triggers keep the counts, so servers that don't know them keep them too.
-- How many videos, jobs, deliveries and publications there are of each sort. A count is the sum of its changes: whoever moves a row adds a change, and waits for nobody.
-- A chore adds up the changes that have come, so that there are never many (`src/counts`).
create table reelmill.counts (
	id bigint generated always as identity primary key,
	subject text not null check (subject in ('video', 'job', 'delivery', 'publication')),
	-- A state, a status, or the place of storage that a publication waits for.
	name text not null,
	change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Takes the row away from what it counted as, and adds it to what it counts as; null is no count. `recount` below says the same of whole tables.
create function reelmill.count_change() returns trigger language plpgsql as $$
declare
	was text;
	becomes text;
begin
	if tg_argv[0] = 'video' then
		was := case when old.kind = 'video' and old.deleted_at is null then old.state end;
		becomes := case when new.kind = 'video' and new.deleted_at is null then new.state end;
	elsif tg_argv[0] = 'job' then
		was := case when old.id is null then null when old.lock is null then 'waiting' else 'running' end;
		becomes := case when new.id is null then null when new.lock is null then 'waiting' else 'running' end;
	elsif tg_argv[0] = 'delivery' then
		was := old.status;
		becomes := new.status;
	else
		was := case when old.copied_at is null then old.storage_profile_id end;
		becomes := case when new.copied_at is null then new.storage_profile_id end;
	end if;
	insert into reelmill.counts (subject, name, change)
	select tg_argv[0], c.name, c.change from (values (was, -1), (becomes, 1)) as c (name, change) where c.name is not null;
	return null;
end $$;
create function reelmill.count_nothing() returns trigger language plpgsql as $$
begin
	delete from reelmill.counts where subject = tg_argv[0];
	return null;
end $$;

-- A change that moves no count, such as a heartbeat, calls no function.
create trigger videos_counted after insert or delete on reelmill.videos for each row execute function reelmill.count_change('video');
create trigger videos_counted_anew after update on reelmill.videos for each row
	when (old.state <> new.state or (old.deleted_at is null) <> (new.deleted_at is null)) execute function reelmill.count_change('video');
create trigger videos_counted_none after truncate on reelmill.videos for each statement execute function reelmill.count_nothing('video');

create trigger jobs_counted after insert or delete on reelmill.jobs for each row execute function reelmill.count_change('job');
create trigger jobs_counted_anew after update on reelmill.jobs for each row
	when ((old.lock is null) <> (new.lock is null)) execute function reelmill.count_change('job');
create trigger jobs_counted_none after truncate on reelmill.jobs for each statement execute function reelmill.count_nothing('job');

create trigger webhook_deliveries_counted after insert or delete on reelmill.webhook_deliveries for each row execute function reelmill.count_change('delivery');
create trigger webhook_deliveries_counted_anew after update on reelmill.webhook_deliveries for each row
	when (old.status <> new.status) execute function reelmill.count_change('delivery');
create trigger webhook_deliveries_counted_none after truncate on reelmill.webhook_deliveries for each statement execute function reelmill.count_nothing('delivery');

create trigger publications_counted after insert or delete on reelmill.publications for each row execute function reelmill.count_change('publication');
create trigger publications_counted_anew after update on reelmill.publications for each row
	when ((old.copied_at is null) <> (new.copied_at is null)) execute function reelmill.count_change('publication');
create trigger publications_counted_none after truncate on reelmill.publications for each statement execute function reelmill.count_nothing('publication');

-- Adds what the counts lack, and returns it: nothing if they are right. Rows and counts are of one moment, and nobody waits for it, but it reads whole tables.
create function reelmill.recount() returns table (subject text, name text, change bigint) language sql as $$
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
