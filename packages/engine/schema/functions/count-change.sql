-- Takes the row away from what it counted as, and adds it to what it counts as; null is no count. `recount` says the same of whole tables.
create or replace function reelmill.count_change() returns trigger language plpgsql as $$
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
