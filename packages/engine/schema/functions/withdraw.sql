-- Ends the publications of these videos. What may have been copied is deleted at once and, since copies that are under way by then may still arrive, three times more.
create or replace function reelmill.withdraw(videos uuid[], moment timestamptz) returns void language sql as $$
	with withdrawn as (delete from reelmill.publications where video_id = any(videos) returning *)
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select 'outputs', format('public/%s/%s/', w.video_id, w.id), w.storage_profile_id, moment, moment + due.later
	from withdrawn w, (values (null), (interval '4 seconds'), (interval '1 minute'), (interval '65 minutes')) as due (later)
	where w.begun_at is not null;
$$;
