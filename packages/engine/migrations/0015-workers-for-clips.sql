-- Expand: workers that were seen tell whether they take clips, so that a clip waits for no other worker than for one that takes it.
-- Compatible from 0001: older servers note nothing of it.

alter table reelmill.workers_seen add column takes_clips boolean not null default false;
