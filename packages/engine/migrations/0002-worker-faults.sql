-- Expand: jobs know which workers gave them back because they were at fault themselves, failures have a cause, and workers tell what is wrong with them.
-- Compatible from 0001: older servers count such an attempt as the job's, as workers then tell them nothing else; they give no cause and show no fault.

-- One entry for each time, in order.
alter table reelmill.jobs add column given_back_by text[] not null default '{}';
alter table reelmill.jobs add column given_back_at timestamptz;
-- For operators alone: what was said last, or why there was no further attempt.
alter table reelmill.failures add column cause text;
-- The code of what a worker found wrong with itself; null where nothing is.
alter table reelmill.workers_seen add column fault text;
