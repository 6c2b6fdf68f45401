-- Rotates a domain's webhook secret: the present one becomes the one before, for its grace. Refused as a key's rotation is.
create or replace function reelmill.rotate_webhook_secret(domain uuid, by_key uuid, new_secret text, now timestamptz, grace_ends timestamptz, out fault text, out had_one boolean)
language plpgsql as $$
begin
	fault := reelmill.rotation_fault(domain, by_key, now);
	if fault is not null then
		return;
	end if;
	update reelmill.domains d set previous_webhook_secret = d.webhook_secret, webhook_secret = new_secret,
			previous_webhook_secret_expires_at = case when d.webhook_secret is null then null else grace_ends end
		where d.id = domain returning d.previous_webhook_secret is not null into had_one;
end $$;
