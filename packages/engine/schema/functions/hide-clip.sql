-- Keeps the job of a clip from servers that know no clips: they would give it out as that of an upload. Each moment from which it may be given out goes to another
-- column than the one that they look at. Only a claim that sets this column to the moment of the claim may lock it.
create or replace function reelmill.hide_clip() returns trigger language plpgsql as $$
declare
	never timestamptz := '9999-12-31 00:00:00+00';
begin
	if tg_op = 'INSERT' and not exists (select from reelmill.clips c where c.video_id = new.id) then
		return new;
	end if;
	if new.not_before <> never then
		new.clip_not_before := new.not_before;
		new.not_before := never;
	end if;
	if tg_op = 'UPDATE' and old.lock is null and new.lock is not null and new.clip_not_before is distinct from new.claimed_at then
		raise exception 'a clip is for servers that know clips' using errcode = 'check_violation';
	end if;
	return new;
end $$;
