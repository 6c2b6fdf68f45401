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

create trigger videos_publicity after update on reelmill.videos for each row
	when (new.storage_profile_id is not null
		and (reelmill.is_public(old) is distinct from reelmill.is_public(new) or reelmill.is_public(new) and old.outputs ->> 'prefix' is distinct from new.outputs ->> 'prefix'))
	execute function reelmill.follow_publicity();
create trigger videos_end_of_publicity after delete on reelmill.videos for each row when (old.storage_profile_id is not null)
	execute function reelmill.follow_publicity();
create trigger domains_end_of_publicity after update on reelmill.domains for each row when (old.deleted_at is null and new.deleted_at is not null)
	execute function reelmill.follow_publicity();
