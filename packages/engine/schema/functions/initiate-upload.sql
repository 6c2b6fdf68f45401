-- The checks of POST /v1/videos and of an outro's upload from number 4 on. The domain's row is locked first, so that of any number at once each sees what the ones
-- before it took; every check comes before the first write, and a fault is answered, not raised. `rules` holds the numbers: max_pending, max_expired, max_hourly,
-- max_of_session, instance_daily_bytes; `uploader_digests`, what may stand for the name of the uploader in rows that have forgotten it; `outro_slug`, where it isn't the domain's default that is meant; for an outro its own slug, `label` and `max_outros`.
-- `retry_at` is the first moment at which a retry of this very upload can succeed, as far as time alone decides it: what stands against it beside the fault is
-- counted in. It is null where no later moment helps. `serving_outro_id` is what answers to the slug, and is pinned to a video; `superseded_id` is the asset that was
-- on its way to the slug of a new outro.
-- A video that begins as uploaded is a clip: its bytes count as those of a finished upload. Clips are no uploads of a person, so they count in no hourly limit.
create or replace function reelmill.initiate_upload(
	video jsonb, rules jsonb, now timestamptz,
	out fault text, out existing_video_id uuid, out retry_at timestamptz, out storage_profile_id uuid, out serving_outro_id uuid, out superseded_id uuid
) language plpgsql as $$
declare
	wanted reelmill.videos := jsonb_populate_record(null::reelmill.videos, video);
	domain reelmill.domains;
	nobody uuid := '00000000-0000-0000-0000-000000000000';
	today date := (now at time zone 'UTC')::date;
	wanted_slug text;
	answering reelmill.outros;
	pinned uuid;
	-- Whose uploads meet in the pending slot, the throttle and the hourly limit: a sandbox session is an owner of its own.
	owner uuid := coalesce(wanted.session_id, wanted.domain_id);
	instance_daily_bytes bigint := (rules ->> 'instance_daily_bytes')::bigint;
	domain_daily_bytes bigint;
	digests bytea[] := array(select decode(d, 'hex') from jsonb_array_elements_text(coalesce(rules -> 'uploader_digests', '[]')) d);
	throttled_until timestamptz;
	limited_until timestamptz;
	idle_until timestamptz;
	used bigint;
	pending integer;
	is_clip boolean := wanted.state = 'uploaded';
	reserved bigint := case when is_clip then 0 else wanted.file_size end;
	uploaded bigint := wanted.file_size - reserved;
begin
	select * into domain from reelmill.domains d where d.id = wanted.domain_id and d.deleted_at is null for no key update;
	if domain.id is null then
		fault := 'unauthorized'; return;
	end if;

	select e.expires_at + interval '24 hours' into throttled_until from (
		select v.expires_at from reelmill.videos v
			where coalesce(v.session_id, v.domain_id) = owner and v.uploader_ref = wanted.uploader_ref and v.state = 'expired' and v.expires_at > now - interval '24 hours'
		union all select v.expires_at from reelmill.videos v
			where coalesce(v.session_id, v.domain_id) = owner and v.uploader_digest = any(digests) and v.state = 'expired' and v.expires_at > now - interval '24 hours') e
		order by e.expires_at desc offset (rules ->> 'max_expired')::integer - 1 limit 1;
	-- counts only calls that passed the checks, which are the videos there are
	select c.created_at + interval '1 hour' into limited_until from (
		select v.created_at from reelmill.videos v
			where coalesce(v.session_id, v.domain_id) = owner and v.uploader_ref = wanted.uploader_ref and v.created_at > now - interval '1 hour'
				and not exists (select from reelmill.clips k where k.video_id = v.id)
		union all select v.created_at from reelmill.videos v
			where coalesce(v.session_id, v.domain_id) = owner and v.uploader_digest = any(digests) and v.created_at > now - interval '1 hour'
				and not exists (select from reelmill.clips k where k.video_id = v.id)) c
		order by c.created_at desc offset (rules ->> 'max_hourly')::integer - 1 limit 1;

	-- 4: quotas. Of the installation's the sandbox takes a quarter at most, so that strangers leave tenants the rest.
	fault := 'upload_quota_exceeded';
	if wanted.session_id is not null and (select count(*) from reelmill.videos v where v.session_id = wanted.session_id) >= (rules ->> 'max_of_session')::integer then
		return;
	end if;
	domain_daily_bytes := least(domain.daily_upload_bytes, case when wanted.session_id is not null then instance_daily_bytes / 4 end);
	if wanted.file_size <= least(domain_daily_bytes, instance_daily_bytes) then
		retry_at := greatest((today + 1)::timestamp at time zone 'UTC', throttled_until, limited_until);
		if wanted.session_id is not null then
			retry_at := reelmill.within_session(wanted.session_id, retry_at);
		end if;
	end if;
	select u.uploaded_bytes + u.reserved_bytes into used from reelmill.usage_days u where u.domain_id = domain.id and u.day = today;
	if coalesce(used, 0) + wanted.file_size > domain_daily_bytes then
		return;
	end if;
	-- A tenth of the sandbox's day is for uploads that sent nothing yet, so that empty requests don't use it up.
	idle_until := case when wanted.session_id is not null then reelmill.free_of_idle_uploads(domain.id, wanted.file_size, domain_daily_bytes / 10) end;
	if idle_until is not null then
		retry_at := reelmill.within_session(wanted.session_id, greatest(idle_until, throttled_until, limited_until));
		return;
	end if;
	if instance_daily_bytes is not null then
		insert into reelmill.usage_days (domain_id, day) values (nobody, today) on conflict do nothing;
		select u.uploaded_bytes + u.reserved_bytes into used from reelmill.usage_days u where u.domain_id = nobody and u.day = today for update;
		if used + wanted.file_size > instance_daily_bytes then
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
		where coalesce(v.session_id, v.domain_id) = owner and v.uploader_ref = wanted.uploader_ref and v.state = 'pending_upload';
	if pending >= (rules ->> 'max_pending')::integer then
		return;
	end if;
	existing_video_id := null;

	-- 6: expired-upload throttle
	fault := 'too_many_incomplete_uploads';
	if throttled_until is not null then
		retry_at := greatest(throttled_until, limited_until);
		if wanted.session_id is not null then
			retry_at := reelmill.within_session(wanted.session_id, retry_at);
		end if;
		return;
	end if;

	-- the outro: a place for an asset, or the asset that answers to a video's slug now
	wanted_slug := case when rules ? 'outro_slug' then rules ->> 'outro_slug' else domain.config ->> 'default_outro_slug' end;
	select * into answering from reelmill.outros o where o.domain_id = domain.id and o.slug = wanted_slug;
	if wanted.kind = 'outro' then
		fault := 'outro_limit_reached';
		if answering.slug is null and (select count(*) from reelmill.outros o where o.domain_id = domain.id) >= (rules ->> 'max_outros')::integer then
			return;
		end if;
	elsif wanted_slug is not null then
		fault := case when answering.slug is null then 'outro_not_found' when answering.serving_id is null then 'outro_not_ready' end;
		if fault is not null then
			return;
		end if;
	end if;
	serving_outro_id := answering.serving_id;

	fault := 'rate_limited';
	if limited_until is not null then
		retry_at := limited_until;
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

	update reelmill.domains d set reserved_bytes = d.reserved_bytes + reserved, storage_bytes = d.storage_bytes + uploaded where d.id = domain.id;
	insert into reelmill.usage_days as u (domain_id, day, reserved_bytes, uploaded_bytes, uploads, storage_bytes)
		values (domain.id, today, reserved, uploaded, is_clip::integer, case when is_clip then domain.storage_bytes + uploaded end)
		on conflict (domain_id, day) do update set reserved_bytes = u.reserved_bytes + reserved, uploaded_bytes = u.uploaded_bytes + uploaded,
			uploads = u.uploads + excluded.uploads, storage_bytes = coalesce(excluded.storage_bytes, u.storage_bytes);
	update reelmill.usage_days u set reserved_bytes = u.reserved_bytes + reserved, uploaded_bytes = u.uploaded_bytes + uploaded, uploads = u.uploads + is_clip::integer
		where u.domain_id = nobody and u.day = today and instance_daily_bytes is not null;
	pinned := case when wanted.kind = 'video' then answering.serving_id end;
	insert into reelmill.videos (traceparent, request_id, id, kind, domain_id, session_id, state, visibility, content_type, file_size, duration_seconds, external_ref, uploader_ref, outro_id,
			plan, max_duration_seconds, transcript_status, created_at, updated_at, expires_at, uploaded_at, storage_profile_id)
		values (wanted.traceparent, wanted.request_id, wanted.id, wanted.kind, wanted.domain_id, wanted.session_id, wanted.state, wanted.visibility, wanted.content_type, wanted.file_size,
			wanted.duration_seconds, wanted.external_ref, wanted.uploader_ref, pinned,
			jsonb_set(wanted.plan, '{outro_id}', coalesce(to_jsonb(pinned), 'null')), wanted.max_duration_seconds, wanted.transcript_status, now, now,
			wanted.expires_at, wanted.uploaded_at, domain.storage_profile_id);
	if wanted.kind = 'outro' then
		superseded_id := nullif(answering.asset_id, answering.serving_id);
		insert into reelmill.outros as o (domain_id, slug, label, asset_id, created_at) values (domain.id, wanted_slug, rules ->> 'label', wanted.id, now)
			on conflict (domain_id, slug) do update set label = excluded.label, asset_id = excluded.asset_id, created_at = excluded.created_at;
	end if;
end $$;
