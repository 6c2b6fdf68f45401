-- Expand: updates of small rows that change often stay in their page, and change no index.
-- Compatible from 0045: the index that goes was for a table of a row per worker, which is read whole as quickly.
drop index concurrently if exists reelmill.workers_seen_last;
-- It counts for pages that are filled from now on.
alter table reelmill.domains set (fillfactor = 70);
alter table reelmill.usage_days set (fillfactor = 70);
