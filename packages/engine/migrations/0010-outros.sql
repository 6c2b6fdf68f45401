-- An outro's asset is uploaded, stored, queued and encoded as a video is, and is a row of the same table that no video operation finds.
alter table reelmill.videos add column kind text not null default 'video' check (kind in ('video', 'outro'));
create index videos_as_outros on reelmill.videos (domain_id) where kind = 'outro' and deleted_at is null;
create index videos_pinning_outros on reelmill.videos (outro_id)
	where outro_id is not null and deleted_at is null and state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding');

-- What a slug means: the asset that came last, and the one that new videos get. An asset that no slug names is superseded.
create table reelmill.outros (
	domain_id uuid not null references reelmill.domains,
	slug text not null,
	label text,
	asset_id uuid not null unique,
	serving_id uuid,
	created_at timestamptz not null,
	primary key (domain_id, slug)
);

-- Frees a slug, and takes it back as the domain's default. Under the domain's lock, as everything is that gives out places and pins. No row where there is none.
create function reelmill.delete_outro(owner uuid, gone_slug text, out asset_id uuid, out serving_id uuid) returns setof record language plpgsql as $$
begin
	perform from reelmill.domains d where d.id = owner for no key update;
	for asset_id, serving_id in delete from reelmill.outros o where o.domain_id = owner and o.slug = gone_slug returning o.asset_id, o.serving_id loop
		update reelmill.domains d set config = d.config || '{"default_outro_slug": null}' where d.id = owner and d.config ->> 'default_outro_slug' = gone_slug;
		return next;
	end loop;
end $$;

-- The checks of POST /v1/videos from number 4 on, as before, for outros as well, with the outro resolved and pinned in the same step.
-- `rules` holds `outro_slug` too, where it isn't the domain's default that is meant; for an outro its own slug, `label` and `max_outros`.
-- `serving_outro_id` is what answers to the slug, and is pinned to a video; `superseded_id` is the asset that was on its way to the slug of a new outro.
drop function reelmill.initiate_video(jsonb, jsonb, text, timestamptz);
create function reelmill.initiate_upload(
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
	pinned := case when wanted.kind = 'video' then answering.serving_id end;
	insert into reelmill.videos (id, kind, domain_id, session_id, state, visibility, content_type, file_size, duration_seconds, external_ref, uploader_ref, outro_id,
			plan, max_duration_seconds, transcript_status, created_at, updated_at, expires_at, storage_profile_id)
		values (wanted.id, wanted.kind, wanted.domain_id, wanted.session_id, wanted.state, wanted.visibility, wanted.content_type, wanted.file_size,
			wanted.duration_seconds, wanted.external_ref, wanted.uploader_ref, pinned,
			jsonb_set(wanted.plan, '{outro_id}', coalesce(to_jsonb(pinned), 'null')), wanted.max_duration_seconds, wanted.transcript_status, now, now,
			wanted.expires_at, domain.storage_profile_id);
	if wanted.kind = 'outro' then
		superseded_id := nullif(answering.asset_id, answering.serving_id);
		insert into reelmill.outros as o (domain_id, slug, label, asset_id, created_at) values (domain.id, wanted_slug, rules ->> 'label', wanted.id, now)
			on conflict (domain_id, slug) do update set label = excluded.label, asset_id = excluded.asset_id, created_at = excluded.created_at;
	end if;
end $$;
