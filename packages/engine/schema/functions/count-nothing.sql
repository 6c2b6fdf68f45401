-- The counts of a table that was truncated.
create or replace function reelmill.count_nothing() returns trigger language plpgsql as $$
begin
	delete from reelmill.counts where subject = tg_argv[0];
	return null;
end $$;
