-- Expand: one column with a default.
-- Compatible from 0045: older servers count a lost worker as an attempt at a transcript, and leave the new column as it is.
-- How many workers a transcript lost that were not heard of any more. The job didn't spoil these attempts, and `attempt` doesn't count them.
alter table reelmill.transcriptions add column lost integer not null default 0;
