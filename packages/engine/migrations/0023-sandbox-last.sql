-- 0: of tenants; 1: of the sandbox, whose jobs are given out when nothing of any tenant could be.
alter table reelmill.jobs add column rank smallint not null default 0;
alter table reelmill.chunks add column rank smallint not null default 0;
update reelmill.jobs j set rank = 1 from reelmill.videos v where v.id = j.id and v.session_id is not null;
update reelmill.chunks c set rank = 1 from reelmill.videos v where v.id = c.video_id and v.session_id is not null;
drop index reelmill.jobs_waiting;
create index jobs_waiting on reelmill.jobs (rank, turn, queued_at) where lock is null;
drop index reelmill.chunks_unfinished;
create index chunks_unfinished on reelmill.chunks (rank, created_at, number) where state in ('waiting', 'locked');

-- The turn that is served now among jobs of this rank. Jobs of another rank, which may wait for long, don't hold it back.
create function reelmill.present_turn(of_rank smallint) returns bigint language sql stable as $$
	select coalesce((select min(j.turn) from reelmill.jobs j where j.lock is null and j.rank = of_rank), (select max(d.last_turn) from reelmill.domains d));
$$;
create or replace function reelmill.present_turn() returns bigint language sql stable as $$ select reelmill.present_turn(0::smallint) $$;
