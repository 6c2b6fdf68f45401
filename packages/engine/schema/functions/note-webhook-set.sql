-- The webhook is set where URL and secret come together, whichever statement brings the second one.
create or replace function reelmill.note_webhook_set() returns trigger language plpgsql as $$
begin
	new.webhook_set_at := now();
	return new;
end $$;
