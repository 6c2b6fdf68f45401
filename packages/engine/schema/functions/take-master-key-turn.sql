-- Takes a turn for `current`, unless the key in force is none of those that its server has: then it is answered, and nothing is changed.
-- Of two first servers with different keys, the second waits for the first and finds its key.
create or replace function reelmill.take_master_key_turn(current bytea, known bytea[], now timestamptz) returns bytea language plpgsql as $$
declare
	in_force bytea;
begin
	lock table reelmill.master_keys in share row exclusive mode;
	select k.fingerprint into in_force from reelmill.master_keys k order by k.turn desc limit 1;
	if in_force <> all (known) then
		return in_force;
	end if;
	insert into reelmill.master_keys as k (fingerprint, turn, used_at) values (current, nextval('reelmill.master_key_turns'), now)
		on conflict (fingerprint) do update set turn = excluded.turn, used_at = greatest(k.used_at, excluded.used_at);
	return null;
end $$;
