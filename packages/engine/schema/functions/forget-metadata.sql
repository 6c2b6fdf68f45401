create or replace function reelmill.forget_metadata() returns trigger language plpgsql as $$
begin
	delete from reelmill.video_titles where video_id = old.id;
	delete from reelmill.video_values where video_id = old.id;
	return null;
end $$;
