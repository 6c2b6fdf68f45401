-- Expand: a change of a video's finished files has its public copies made anew, and is noted for edges.
-- Compatible from 0001: older servers change no finished files. What they copy anew lacks the changed ones, which the check copies again.

\ir ../schema/functions/withdraw.sql
\ir ../schema/functions/outdate.sql
\ir ../schema/functions/follow-publicity.sql

-- Checked by hand: create or replace trigger: it takes its lock for the moment in which the trigger's row is written.
create or replace trigger videos_publicity after update on reelmill.videos for each row
	when (new.storage_profile_id is not null
		and (reelmill.is_public(old) is distinct from reelmill.is_public(new)
			or reelmill.is_public(new) and (old.outputs ->> 'prefix' is distinct from new.outputs ->> 'prefix' or old.outputs ->> 'edit' is distinct from new.outputs ->> 'edit')))
	execute function reelmill.follow_publicity();
-- Checked by hand: create or replace trigger: it takes its lock for the moment in which the trigger's row is written.
create or replace trigger videos_noted_for_edges after update on reelmill.videos for each row
	when (new.kind = 'video' and (old.visibility <> new.visibility
		or old.outputs is not null and ((old.deleted_at is null) <> (new.deleted_at is null) or old.outputs ->> 'prefix' is distinct from new.outputs ->> 'prefix'
			or old.outputs ->> 'edit' is distinct from new.outputs ->> 'edit')))
	execute function reelmill.note_edge_change();
