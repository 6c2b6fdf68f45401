-- Compatible from 0032: older servers leave the new columns as they are.
alter table reelmill.videos
	-- The states that it came to after the first, `[{ "state", "at", "worker" }]`: the first 8 and the last 32.
	add column moves jsonb not null default '[]',
	-- Who took its job last.
	add column worker text,
	-- When bytes of its upload came first; null where the server that knew was gone before the upload was whole.
	add column first_byte_at timestamptz;

-- As before, and it notes the move.
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
		new.moves := (case when jsonb_array_length(old.moves) < 40 then old.moves else old.moves - 8 end)
			|| jsonb_build_object('state', new.state, 'at', new.updated_at, 'worker', case when new.state = 'locked' then new.worker end);
		return new;
	end if;
	raise exception 'a video cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end $$;

-- What else a day's usage is, for charts. The storage is as it was after the last change of the day; null where none noted it.
alter table reelmill.usage_days
	add column uploads integer not null default 0,
	add column available integer not null default 0,
	add column failures integer not null default 0,
	add column storage_bytes bigint;

-- What a domain did for the first time, and when.
alter table reelmill.domains
	add column first_uploaded_at timestamptz,
	add column first_played_at timestamptz,
	add column webhook_set_at timestamptz,
	add column first_delivered_at timestamptz;
update reelmill.domains d set
	webhook_set_at = case when d.webhook_secret is not null and d.config ->> 'webhook_url' is not null then now() end,
	first_uploaded_at = (select v.uploaded_at from reelmill.videos v
		where v.domain_id = d.id and v.state = 'available' and v.deleted_at is null order by v.created_at, v.id limit 1);

-- The webhook is set where URL and secret come together, whichever statement brings the second one.
create function reelmill.note_webhook_set() returns trigger language plpgsql as $$
begin
	new.webhook_set_at := now();
	return new;
end $$;
create trigger domains_webhook_set before update of config, webhook_secret on reelmill.domains for each row
	when (new.webhook_set_at is null and new.webhook_secret is not null and new.config ->> 'webhook_url' is not null)
	execute function reelmill.note_webhook_set();
