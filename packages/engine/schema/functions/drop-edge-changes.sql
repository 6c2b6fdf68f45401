-- Where a domain has more than `most` changes, gives up all but the newest `kept`. Of two servers that do so at once, one does. It waits for no statement that notes a change, which may wait for it.
create or replace function reelmill.drop_edge_changes(domain uuid, most integer, kept integer) returns void language plpgsql as $$
begin
	perform from reelmill.edge_domains where domain_id = domain for update;
	if (select count(*) from reelmill.edge_changes where domain_id = domain) <= most then
		return;
	end if;
	delete from reelmill.edge_changes where domain_id = domain and video_id in (
		select video_id from reelmill.edge_changes where domain_id = domain order by changed_at desc, video_id offset kept for update skip locked);
	update reelmill.edge_domains set drops = drops + 1 where domain_id = domain;
end $$;
