-- Expand: jobs know which workers were lost with them, so that other workers get them first.
-- Compatible from 0001: older servers note no lost worker, and prefer none.

-- One entry for each worker that was lost in a row: `fruitless` counts them. `given_back_at` tells of the last one, too.
alter table reelmill.jobs add column lost_by text[] not null default '{}';
