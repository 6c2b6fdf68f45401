-- Why a key may not rotate, null where it may. Locks the domain's row, so that the answer stands until the transaction ends.
create or replace function reelmill.rotation_fault(domain uuid, by_key uuid, now timestamptz) returns text language plpgsql as $$
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
