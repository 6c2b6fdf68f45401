-- Makes `wanted` the domain's profile. Where the domain has stored in that place before, its rows of the place get the new key, path style and public address;
-- a key left out stays the place's. Under the domain's lock, so that of two at once one comes after the other. False where there is no such domain.
create or replace function reelmill.choose_storage(domain uuid, profile jsonb, now timestamptz) returns boolean language plpgsql as $$
declare
	wanted reelmill.storage_profiles := jsonb_populate_record(null::reelmill.storage_profiles, profile);
	before reelmill.storage_profiles;
	chosen uuid;
	moved boolean;
begin
	perform from reelmill.domains d where d.id = domain and d.deleted_at is null for no key update;
	if not found then
		return false;
	end if;
	select p.* into before from reelmill.domains d join reelmill.storage_profiles p on p.id = d.storage_profile_id where d.id = domain;
	if wanted.id is not null then
		update reelmill.storage_profiles p set access_key_id = coalesce(wanted.access_key_id, p.access_key_id), secret = coalesce(wanted.secret, p.secret),
				force_path_style = wanted.force_path_style, public_base_url = wanted.public_base_url, revision = p.revision + 1,
				last_error = null, last_fault = null, last_verified_at = now
			where p.domain_id = domain and (p.backend, p.location_id, p.endpoint, p.region, p.bucket)
				is not distinct from (wanted.backend, wanted.location_id, wanted.endpoint, wanted.region, wanted.bucket);
		if found and wanted.secret is null then
			select p.access_key_id, p.secret into wanted.access_key_id, wanted.secret from reelmill.storage_profiles p
				where p.domain_id = domain and (p.backend, p.location_id, p.endpoint, p.region, p.bucket)
					is not distinct from (wanted.backend, wanted.location_id, wanted.endpoint, wanted.region, wanted.bucket) limit 1;
		end if;
		select p.id into chosen from reelmill.storage_profiles p
			where p.domain_id = domain and (p.backend, p.location_id, p.endpoint, p.region, p.bucket, p.key_prefix)
				is not distinct from (wanted.backend, wanted.location_id, wanted.endpoint, wanted.region, wanted.bucket, wanted.key_prefix) limit 1;
		if chosen is null then
			wanted.domain_id := domain; wanted.revision := 1; wanted.last_verified_at := now; wanted.created_at := now;
			insert into reelmill.storage_profiles values (wanted.*);
			chosen := wanted.id;
		end if;
	end if;
	moved := (before.backend, before.location_id, before.endpoint, before.region, before.bucket)
		is distinct from (wanted.backend, wanted.location_id, wanted.endpoint, wanted.region, wanted.bucket);
	update reelmill.domains d set storage_profile_id = chosen, storage_version = d.storage_version + moved::integer where d.id = domain;
	return true;
end $$;
