-- Rotates a domain's key: a new one beside the present one, which gets its grace; one that was in its grace ends, and with a grace that is over so does the present one.
-- `by_key` is the key that asks, null for the operator. One that is in its grace itself is refused, here and not before, under the domain's lock: of two holders of one key
-- that rotate at once, the second can't end the key that the first was given. `fault` is null where it was done.
drop function reelmill.rotate_domain_key(uuid, bytea, uuid, text, timestamptz, timestamptz);
create function reelmill.rotate_domain_key(
	domain uuid, by_key uuid, new_hash bytea, new_id uuid, new_last4 text, now timestamptz, grace_ends timestamptz, out fault text
) language plpgsql as $$
begin
	fault := reelmill.rotation_fault(domain, by_key, now);
	if fault is not null then
		return;
	end if;
	delete from reelmill.domain_keys k where k.domain_id = domain and k.session_id is null and (k.expires_at is not null or grace_ends <= now);
	update reelmill.domain_keys k set expires_at = grace_ends where k.domain_id = domain and k.session_id is null;
	insert into reelmill.domain_keys (hash, id, domain_id, last4, created_at) values (new_hash, new_id, domain, new_last4, now);
end $$;

-- Rotates a domain's webhook secret: the present one becomes the one before, for its grace. Refused as above.
create function reelmill.rotate_webhook_secret(domain uuid, by_key uuid, new_secret text, now timestamptz, grace_ends timestamptz, out fault text, out had_one boolean)
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

-- Why a key may not rotate, null where it may. Locks the domain's row, so that the answer stands until the transaction ends.
create function reelmill.rotation_fault(domain uuid, by_key uuid, now timestamptz) returns text language plpgsql as $$
declare
	asking reelmill.domain_keys;
begin
	perform from reelmill.domains d where d.id = domain and d.deleted_at is null for no key update;
	if not found then
		return 'domain_not_found';
	end if;
	if by_key is null then
		return null;
	end if;
	select * into asking from reelmill.domain_keys k where k.id = by_key and k.domain_id = domain and k.session_id is null;
	return case when asking.id is null or asking.expires_at <= now then 'unauthorized' when asking.expires_at is not null then 'forbidden' end;
end $$;
