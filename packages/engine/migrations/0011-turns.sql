-- A tenant with many videos waiting makes no other one wait for all of them: jobs are claimed in turns. A domain's jobs have turns that rise by one;
-- whoever had nothing waiting goes on from the present turn.
alter table reelmill.domains add column last_turn bigint not null default 0;
create index domains_last_turn on reelmill.domains (last_turn);
alter table reelmill.jobs
	add column turn bigint not null default 0,
	-- Since when it has waited for a worker, the wait for a processing slot included.
	add column waiting_since timestamptz,
	-- Which archive of the present attempt's outputs was stored last; null where none was.
	add column delivery uuid;
update reelmill.jobs set waiting_since = queued_at;
alter table reelmill.jobs alter column waiting_since set not null;
drop index reelmill.jobs_waiting;
create index jobs_waiting on reelmill.jobs (turn, queued_at) where lock is null;

-- The turn that is served now: of what waits the lowest, and where nothing waits the last that was given.
create function reelmill.present_turn() returns bigint language sql stable as $$
	select coalesce((select min(j.turn) from reelmill.jobs j where j.lock is null), (select max(d.last_turn) from reelmill.domains d));
$$;
