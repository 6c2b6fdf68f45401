-- This moment, or null where the session's key is over by then.
create or replace function reelmill.within_session(session uuid, moment timestamptz) returns timestamptz language sql stable as $$
	select moment where exists (select from reelmill.domain_keys k where k.session_id = session and k.expires_at > moment);
$$;
