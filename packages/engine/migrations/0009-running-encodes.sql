-- Expand: jobs have what their worker tells of its encodes.
-- Compatible from 0001: older servers tell nothing of it, and the next heartbeat to another server writes it anew.

-- As `encodes` of the last heartbeat; null where it told none. Of the present attempt while the video is `encoding`.
alter table reelmill.jobs add column encodes jsonb;
