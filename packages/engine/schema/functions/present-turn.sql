-- The turn that is served now among jobs of this rank: of what waits the lowest, and where nothing waits the last that was given. Jobs of another rank, which may
-- wait for long, don't hold it back.
create or replace function reelmill.present_turn(of_rank smallint) returns bigint language sql stable as $$
	select coalesce((select min(j.turn) from reelmill.jobs j where j.lock is null and j.rank = of_rank), (select max(d.last_turn) from reelmill.domains d));
$$;
