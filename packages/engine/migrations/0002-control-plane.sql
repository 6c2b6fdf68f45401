-- What each domain uploaded, reserved and had encoded on each UTC day; the row of the nil UUID counts the whole installation, where that has a quota.
create table reelmill.usage_days (
	domain_id uuid not null,
	day date not null,
	uploaded_bytes bigint not null default 0 check (uploaded_bytes >= 0),
	reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
	encoded_seconds double precision not null default 0,
	primary key (domain_id, day)
);

alter table reelmill.domains
	add column storage_bytes bigint not null default 0 check (storage_bytes >= 0),
	add column reserved_bytes bigint not null default 0 check (reserved_bytes >= 0);

-- A sandbox session's key: it ends, and sees only what carries its session.
alter table reelmill.domain_keys add column session_id uuid;
alter table reelmill.videos add column session_id uuid;
create index videos_of_session on reelmill.videos (session_id, created_at) where session_id is not null;

-- POST /v1/videos from check 4 on. The domain's row is locked first, so that of any number at once each sees what the ones before it took; every check comes
-- before the first write, and a fault is answered, not raised. `rules` holds the numbers: max_pending, max_expired, max_hourly, max_of_session, instance_daily_bytes.
create function reelmill.initiate_video(
	video jsonb, rules jsonb, outro_fault text, now timestamptz,
	out fault text, out existing_video_id uuid, out retry_at timestamptz
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
	fault := null;

	update reelmill.domains d set reserved_bytes = d.reserved_bytes + wanted.file_size where d.id = domain.id;
	insert into reelmill.usage_days as u (domain_id, day, reserved_bytes) values (domain.id, today, wanted.file_size)
		on conflict (domain_id, day) do update set reserved_bytes = u.reserved_bytes + wanted.file_size;
	update reelmill.usage_days u set reserved_bytes = u.reserved_bytes + wanted.file_size
		where u.domain_id = nobody and u.day = today and rules ->> 'instance_daily_bytes' is not null;
	insert into reelmill.videos (id, domain_id, session_id, state, visibility, content_type, file_size, duration_seconds, external_ref, uploader_ref, plan,
			max_duration_seconds, transcript_status, created_at, updated_at, expires_at)
		values (wanted.id, wanted.domain_id, wanted.session_id, wanted.state, wanted.visibility, wanted.content_type, wanted.file_size, wanted.duration_seconds,
			wanted.external_ref, wanted.uploader_ref, wanted.plan, wanted.max_duration_seconds, wanted.transcript_status, now, now, wanted.expires_at);
end $$;

-- A new key beside the present one, which gets its grace; one that was in its grace ends. Under the domain's lock, so that of many rotations at once two keys are left.
-- False where there is no such domain.
create function reelmill.rotate_domain_key(domain uuid, new_hash bytea, new_id uuid, new_last4 text, now timestamptz, grace_ends timestamptz) returns boolean language plpgsql as $$
begin
	perform from reelmill.domains d where d.id = domain and d.deleted_at is null for no key update;
	if not found then
		return false;
	end if;
	delete from reelmill.domain_keys k where k.domain_id = domain and k.session_id is null and k.expires_at is not null;
	update reelmill.domain_keys k set expires_at = grace_ends where k.domain_id = domain and k.session_id is null;
	insert into reelmill.domain_keys (hash, id, domain_id, last4, created_at) values (new_hash, new_id, domain, new_last4, now);
	return true;
end $$;
