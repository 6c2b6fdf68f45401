-- A video that anyone may watch, and whose files lie in a bucket: they are copied to `public/<video>/<id>/`, where the bucket has a public address.
-- No reference to the video: what is left to do here outlives its row.
create table reelmill.publications (
	video_id uuid primary key,
	-- No two publications share a folder, so that a copy which comes late is in one that nobody is sent to.
	id uuid not null unique default gen_random_uuid(),
	storage_profile_id uuid not null references reelmill.storage_profiles,
	-- When the first file may have been copied. Null: there is nothing to remove.
	begun_at timestamptz,
	-- When all of them were. The video's addresses lead to the bucket from then on.
	copied_at timestamptz,
	attempts integer not null default 0,
	-- Nobody else begins to copy before this moment.
	not_before timestamptz not null
);
create index publications_of_place on reelmill.publications (storage_profile_id);
create index publications_waiting on reelmill.publications (storage_profile_id, not_before) where copied_at is null;

create function reelmill.is_public(video reelmill.videos) returns boolean language sql immutable as $$
	select video.kind = 'video' and video.visibility = 'public' and video.outputs is not null and video.deleted_at is null
$$;

-- Ends the publications of these videos. What may have been copied is deleted at once and, since copies that are under way by then may still arrive, three times more.
create function reelmill.withdraw(videos uuid[], moment timestamptz) returns void language sql as $$
	with withdrawn as (delete from reelmill.publications where video_id = any(videos) returning *)
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select 'outputs', format('public/%s/%s/', w.video_id, w.id), w.storage_profile_id, moment, moment + due.later
	from withdrawn w, (values (null), (interval '4 seconds'), (interval '1 minute'), (interval '65 minutes')) as due (later)
	where w.begun_at is not null;
$$;
create index deletions_withdrawn on reelmill.deletions (storage_profile_id) where reference like 'public/%';

-- These hold the publications to the videos, whoever changes them: each is begun and withdrawn in the statement that makes it so.
create function reelmill.follow_publicity() returns trigger language plpgsql as $$
begin
	if tg_table_name = 'domains' then
		perform reelmill.withdraw(
			array(select w.video_id from reelmill.publications w join reelmill.storage_profiles p on p.id = w.storage_profile_id where p.domain_id = new.id), new.deleted_at);
	elsif tg_op = 'DELETE' then
		perform reelmill.withdraw(array[old.id], old.updated_at);
	else
		perform reelmill.withdraw(array[new.id], new.updated_at);
		if reelmill.is_public(new) then
			insert into reelmill.publications (video_id, storage_profile_id, not_before) values (new.id, new.storage_profile_id, new.updated_at);
		end if;
	end if;
	return null;
end $$;

-- Videos that are public already are begun before the trigger is there, since it waits for all who write videos; then those that ended meanwhile are taken back.
-- One that an older server made public in between stays on the delivery plane.
insert into reelmill.publications (video_id, storage_profile_id, not_before)
select v.id, v.storage_profile_id, v.updated_at from reelmill.videos v where v.storage_profile_id is not null and reelmill.is_public(v);
create trigger videos_publicity after update on reelmill.videos for each row
	when (new.storage_profile_id is not null
		and (reelmill.is_public(old) is distinct from reelmill.is_public(new) or reelmill.is_public(new) and old.outputs ->> 'prefix' is distinct from new.outputs ->> 'prefix'))
	execute function reelmill.follow_publicity();
create trigger videos_end_of_publicity after delete on reelmill.videos for each row when (old.storage_profile_id is not null)
	execute function reelmill.follow_publicity();
create trigger domains_end_of_publicity after update on reelmill.domains for each row when (old.deleted_at is null and new.deleted_at is not null)
	execute function reelmill.follow_publicity();
delete from reelmill.publications p using reelmill.videos v where v.id = p.video_id and not reelmill.is_public(v);
