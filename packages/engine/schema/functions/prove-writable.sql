-- Proves that the database takes writes, by writing as everything else does: on a primary that isn't read-only, into the log, which is synced, and into a new file
-- beside the tables, for which there must be room. A row alone would fit into the page of one before it, also on a full disk.
create or replace function reelmill.prove_writable() returns void language plpgsql set work_mem = '64kB' set temp_tablespaces = '' as $$
begin
	insert into reelmill.readiness (written_at) values (clock_timestamp());
	delete from reelmill.readiness;
	-- Sorted beyond its memory, so that it goes into a file.
	perform count(*) from (select number from (select g as number, repeat('x', 200) as padding from generate_series(1, 1000) g) padded order by padding, number desc offset 0) sorted;
end
$$;
