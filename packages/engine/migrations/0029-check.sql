-- Compatible from 0027: older servers make none of the moves that are new.
-- As before, with the moves that only the check makes: what is needed isn't stored any more, or all that is needed is.
create or replace function reelmill.refuse_unlisted_move() returns trigger language plpgsql as $$
begin
	if (old.state, new.state) in (
		('pending_upload', 'uploaded'), ('pending_upload', 'expired'), ('pending_upload', 'cancelled'),
		('uploaded', 'queued'), ('uploaded', 'timeout'), ('uploaded', 'cancelled'), ('uploaded', 'failed'), ('uploaded', 'available'),
		('queued', 'locked'), ('queued', 'timeout'), ('queued', 'cancelled'), ('queued', 'failed'), ('queued', 'available'),
		('locked', 'encoding'), ('locked', 'queued'), ('locked', 'available'), ('locked', 'failed'), ('locked', 'cancelled'),
		('encoding', 'queued'), ('encoding', 'available'), ('encoding', 'failed'), ('encoding', 'cancelled'),
		('available', 'failed'), ('failed', 'available'), ('timeout', 'available'), ('expired', 'available')
	) then
		return new;
	end if;
	raise exception 'a video cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end $$;

-- In the order of the keys of their outputs, so that rows and storage are compared side by side.
create index videos_in_order_of_keys on reelmill.videos (domain_id, id) where outputs is not null and deleted_at is null;
