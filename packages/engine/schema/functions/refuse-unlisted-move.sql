-- The second lock on the table of moves in src/videos/state-machine.ts, and it notes the move. A test holds the two together.
create or replace function reelmill.refuse_unlisted_move() returns trigger language plpgsql as $$
begin
	if (old.state, new.state) in (
		('pending_upload', 'uploaded'), ('pending_upload', 'expired'), ('pending_upload', 'failed'), ('pending_upload', 'cancelled'),
		('uploaded', 'queued'), ('uploaded', 'timeout'), ('uploaded', 'cancelled'), ('uploaded', 'failed'), ('uploaded', 'available'),
		('queued', 'locked'), ('queued', 'timeout'), ('queued', 'cancelled'), ('queued', 'failed'), ('queued', 'available'),
		('locked', 'encoding'), ('locked', 'queued'), ('locked', 'available'), ('locked', 'failed'), ('locked', 'cancelled'),
		('encoding', 'queued'), ('encoding', 'available'), ('encoding', 'failed'), ('encoding', 'cancelled'),
		('available', 'failed'), ('failed', 'available'), ('failed', 'uploaded'), ('timeout', 'available'), ('expired', 'available')
	) then
		new.moves := (case when jsonb_array_length(old.moves) < 40 then old.moves else old.moves - 8 end)
			|| jsonb_build_object('state', new.state, 'at', new.updated_at, 'worker', case when new.state = 'locked' then new.worker end);
		return new;
	end if;
	raise exception 'a video cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end $$;
