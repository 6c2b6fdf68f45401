-- Expand: jobs know which workers were lost with them, and transcriptions which were lost or at fault, so that other workers get them first.
-- Compatible from 0001: older servers note no such worker, and prefer none.

-- One entry for each worker that was lost in a row: `fruitless` counts them. `given_back_at` tells of the last one, too.
alter table reelmill.jobs add column lost_by text[] not null default '{}';
-- One entry for each worker that `lost` counts, but the one whose lock has expired.
alter table reelmill.transcriptions add column given_back_by text[] not null default '{}';
alter table reelmill.transcriptions add column given_back_at timestamptz;
