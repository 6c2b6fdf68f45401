-- Notes that an edge can't use any more what it cached of a video. What changes a job changes its video in the same statement, or changes what is served of it before.
create or replace function reelmill.note_edge_change() returns trigger language plpgsql as $$
begin
	insert into reelmill.edge_changes (domain_id, video_id, changed_at)
	select v.domain_id, v.id, v.updated_at from reelmill.videos v join reelmill.edge_domains e on e.domain_id = v.domain_id
	where v.id = old.id and e.read_at > v.updated_at - interval '2 hours'
	on conflict (domain_id, video_id) do update set change = default, changed_at = greatest(edge_changes.changed_at, excluded.changed_at);
	return null;
end $$;
