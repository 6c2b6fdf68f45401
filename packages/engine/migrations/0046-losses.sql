-- Expand: two columns with a default.
-- Compatible from 0027: older servers count a lost lock as an attempt, and leave the new columns as they are.
alter table reelmill.jobs
	-- How many attempts a worker ended that stopped or was lost. The job didn't spoil them.
	add column losses integer not null default 0,
	-- How many workers in a row were lost before anything was finished that another attempt keeps.
	add column fruitless integer not null default 0,
	-- Into how many chunks a worker cut its source. Finished ones stay for the attempts after it.
	add column cut integer;
