-- Holds the publications to the videos, whoever changes them: each is begun and withdrawn in the statement that makes it so.
create or replace function reelmill.follow_publicity() returns trigger language plpgsql as $$
begin
	if tg_table_name = 'domains' then
		perform reelmill.withdraw(
			array(select w.video_id from reelmill.publications w join reelmill.storage_profiles p on p.id = w.storage_profile_id where p.domain_id = new.id), new.deleted_at);
	elsif tg_op = 'DELETE' then
		perform reelmill.withdraw(array[old.id], old.updated_at);
	else
		if reelmill.is_public(old) and reelmill.is_public(new) and old.outputs ->> 'prefix' = new.outputs ->> 'prefix' then
			perform reelmill.outdate(new.id, new.updated_at);
		else
			perform reelmill.withdraw(array[new.id], new.updated_at);
		end if;
		if reelmill.is_public(new) then
			insert into reelmill.publications (video_id, storage_profile_id, not_before) values (new.id, new.storage_profile_id, new.updated_at);
		end if;
	end if;
	return null;
end $$;
