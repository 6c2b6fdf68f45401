-- Rotates a domain's key: a new one beside the present one, which gets its grace; one that was in its grace ends, and with a grace that is over so does the present one.
-- `by_key` is the key that asks, null for the operator. One that is in its grace itself is refused, here and not before, under the domain's lock: of two holders of one key
-- that rotate at once, the second can't end the key that the first was given. `fault` is null where it was done.
create or replace function reelmill.rotate_domain_key(
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
