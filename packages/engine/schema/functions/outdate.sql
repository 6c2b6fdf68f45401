-- Ends the publication of a video that stays public, because files of it were changed. Whoever watches it by its copies has six hours for that.
create or replace function reelmill.outdate(video uuid, moment timestamptz) returns void language sql as $$
	with outdated as (delete from reelmill.publications where video_id = video returning *)
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select 'outputs', format('public/%s/%s/', o.video_id, o.id), o.storage_profile_id, moment, moment + interval '6 hours'
	from outdated o where o.begun_at is not null;
$$;
