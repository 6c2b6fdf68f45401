-- Ends the publications of these videos. What may have been copied is deleted at once and, since copies that are under way by then may still arrive, three times more. So is what earlier publications left for a while.
create or replace function reelmill.withdraw(videos uuid[], moment timestamptz) returns void language sql as $$
	with withdrawn as (delete from reelmill.publications where video_id = any(videos) returning *)
	insert into reelmill.deletions (kind, reference, storage_profile_id, created_at, not_before)
	select 'outputs', format('public/%s/%s/', w.video_id, w.id), w.storage_profile_id, moment, moment + due.later
	from withdrawn w, (values (null), (interval '4 seconds'), (interval '1 minute'), (interval '65 minutes')) as due (later)
	where w.begun_at is not null
	union all
	select distinct 'outputs', n.reference, n.storage_profile_id, moment, null::timestamptz
	from unnest(videos) as v (id) join reelmill.deletions n on n.reference collate "C" > format('public/%s/', v.id) and n.reference collate "C" < format('public/%s0', v.id)
	where n.not_before is not null;
$$;
