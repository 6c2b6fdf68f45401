-- A bucket that a domain stored in, or stores in now. A domain without a profile stores on the local disk.
-- What says where things lie never changes: another bucket, endpoint, region or prefix is another row. Key, path style and public address change in place.
create table reelmill.storage_profiles (
	id uuid primary key,
	domain_id uuid not null references reelmill.domains,
	backend text not null check (backend in ('s3_platform', 's3_tenant')),
	-- Of s3_platform; all that is null is then as the operator says.
	location_id text,
	endpoint text,
	region text,
	bucket text,
	key_prefix text,
	force_path_style boolean,
	access_key_id text,
	-- Sealed under the master key.
	secret text,
	public_base_url text,
	-- Counts the changes of what its connections are opened with.
	revision integer not null default 1,
	last_error text,
	last_fault text check (last_fault in ('unreachable', 'credentials', 'bucket', 'failed')),
	last_verified_at timestamptz,
	created_at timestamptz not null,
	check ((backend = 's3_platform') = (location_id is not null)),
	check ((backend = 's3_tenant') = (bucket is not null and region is not null and access_key_id is not null and secret is not null))
);
create index storage_profiles_of_domain on reelmill.storage_profiles (domain_id);

-- The version counts the changes of place, those to and from the local disk among them.
alter table reelmill.domains
	add column storage_profile_id uuid references reelmill.storage_profiles,
	add column storage_version integer not null default 1;
alter table reelmill.videos add column storage_profile_id uuid references reelmill.storage_profiles;
alter table reelmill.deletions add column storage_profile_id uuid references reelmill.storage_profiles;
create index deletions_in_buckets on reelmill.deletions (storage_profile_id) where storage_profile_id is not null;

-- Makes `wanted` the domain's profile. Where the domain has stored in that place before, its rows of the place get the new key, path style and public address;
-- a key left out stays the place's. Under the domain's lock, so that of two at once one comes after the other. False where there is no such domain.
create function reelmill.choose_storage(domain uuid, profile jsonb, now timestamptz) returns boolean language plpgsql as $$
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

-- As before, with the storage as the last check, and pinned to the new video.
drop function reelmill.initiate_video(jsonb, jsonb, text, timestamptz);
create function reelmill.initiate_video(
	video jsonb, rules jsonb, outro_fault text, now timestamptz,
	out fault text, out existing_video_id uuid, out retry_at timestamptz, out storage_profile_id uuid
) language plpgsql as $$
declare
	wanted reelmill.videos := jsonb_populate_record(null::reelmill.videos, video);
	domain reelmill.domains;
	nobody uuid := '00000000-0000-0000-0000-000000000000';
	today date := (now at time zone 'UTC')::date;
	used bigint;
	pending integer;
begin
	select * into domain from reelmill.domains d where d.id = wanted.domain_id and d.deleted_at is null for no key update;
	if domain.id is null then
		fault := 'unauthorized'; return;
	end if;

	-- 4: quotas
	retry_at := (today + 1)::timestamp at time zone 'UTC';
	fault := 'upload_quota_exceeded';
	if wanted.session_id is not null and (select count(*) from reelmill.videos v where v.session_id = wanted.session_id) >= (rules ->> 'max_of_session')::integer then
		return;
	end if;
	select u.uploaded_bytes + u.reserved_bytes into used from reelmill.usage_days u where u.domain_id = domain.id and u.day = today;
	if coalesce(used, 0) + wanted.file_size > domain.daily_upload_bytes then
		return;
	end if;
	if rules ->> 'instance_daily_bytes' is not null then
		insert into reelmill.usage_days (domain_id, day) values (nobody, today) on conflict do nothing;
		select u.uploaded_bytes + u.reserved_bytes into used from reelmill.usage_days u where u.domain_id = nobody and u.day = today for update;
		if used + wanted.file_size > (rules ->> 'instance_daily_bytes')::bigint then
			return;
		end if;
	end if;
	retry_at := null;
	fault := 'storage_quota_exceeded';
	if domain.storage_bytes + domain.reserved_bytes + wanted.file_size > domain.storage_bytes_limit then
		return;
	end if;

	-- 5: pending slot
	fault := 'concurrent_upload_exists';
	select count(*), (array_agg(v.id order by v.created_at desc, v.id))[1] into pending, existing_video_id from reelmill.videos v
		where v.domain_id = domain.id and v.uploader_ref = wanted.uploader_ref and v.state = 'pending_upload';
	if pending >= (rules ->> 'max_pending')::integer then
		return;
	end if;
	existing_video_id := null;

	-- 6: expired-upload throttle
	fault := 'too_many_incomplete_uploads';
	select v.updated_at + interval '24 hours' into retry_at from reelmill.videos v
		where v.domain_id = domain.id and v.uploader_ref = wanted.uploader_ref and v.state = 'expired' and v.updated_at > now - interval '24 hours'
		order by v.updated_at desc offset (rules ->> 'max_expired')::integer - 1 limit 1;
	if retry_at is not null then
		return;
	end if;

	fault := outro_fault;
	if fault is not null then
		return;
	end if;

	-- the hourly limit counts only calls that passed the checks, which are the videos there are
	fault := 'rate_limited';
	select v.created_at + interval '1 hour' into retry_at from reelmill.videos v
		where v.domain_id = domain.id and v.uploader_ref = wanted.uploader_ref and v.created_at > now - interval '1 hour'
		order by v.created_at desc offset (rules ->> 'max_hourly')::integer - 1 limit 1;
	if retry_at is not null then
		return;
	end if;

	-- The profile is the one that the video is pinned to. One that its last use found broken is answered, not used: the caller tries it, says so in
	-- rules.storage_works, and calls again.
	storage_profile_id := domain.storage_profile_id;
	fault := 'storage_unavailable';
	if storage_profile_id is distinct from (rules ->> 'storage_works')::uuid and exists (
		select from reelmill.storage_profiles p where p.id = domain.storage_profile_id and p.last_fault in ('unreachable', 'credentials', 'bucket')) then
		return;
	end if;
	fault := null;

	update reelmill.domains d set reserved_bytes = d.reserved_bytes + wanted.file_size where d.id = domain.id;
	insert into reelmill.usage_days as u (domain_id, day, reserved_bytes) values (domain.id, today, wanted.file_size)
		on conflict (domain_id, day) do update set reserved_bytes = u.reserved_bytes + wanted.file_size;
	update reelmill.usage_days u set reserved_bytes = u.reserved_bytes + wanted.file_size
		where u.domain_id = nobody and u.day = today and rules ->> 'instance_daily_bytes' is not null;
	insert into reelmill.videos (id, domain_id, session_id, state, visibility, content_type, file_size, duration_seconds, external_ref, uploader_ref, plan,
			max_duration_seconds, transcript_status, created_at, updated_at, expires_at, storage_profile_id)
		values (wanted.id, wanted.domain_id, wanted.session_id, wanted.state, wanted.visibility, wanted.content_type, wanted.file_size, wanted.duration_seconds,
			wanted.external_ref, wanted.uploader_ref, wanted.plan, wanted.max_duration_seconds, wanted.transcript_status, now, now, wanted.expires_at,
			domain.storage_profile_id);
end $$;
