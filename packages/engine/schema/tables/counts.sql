-- How many videos, jobs, deliveries and publications there are of each sort. A count is the sum of its changes: whoever moves a row adds a change, and waits for nobody.
-- A chore adds up the changes that have come, so that there are never many (`src/counts`).
create table reelmill.counts (
	id bigint generated always as identity primary key,
	subject text not null check (subject in ('video', 'job', 'delivery', 'publication')),
	-- A state, a status, or the place of storage that a publication waits for.
	name text not null,
	change bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- A change that moves no count, such as a heartbeat, calls no function.
create trigger videos_counted after insert or delete on reelmill.videos for each row execute function reelmill.count_change('video');
create trigger videos_counted_anew after update on reelmill.videos for each row
	when (old.state <> new.state or (old.deleted_at is null) <> (new.deleted_at is null)) execute function reelmill.count_change('video');
create trigger videos_counted_none after truncate on reelmill.videos for each statement execute function reelmill.count_nothing('video');
create trigger jobs_counted after insert or delete on reelmill.jobs for each row execute function reelmill.count_change('job');
create trigger jobs_counted_anew after update on reelmill.jobs for each row
	when ((old.lock is null) <> (new.lock is null)) execute function reelmill.count_change('job');
create trigger jobs_counted_none after truncate on reelmill.jobs for each statement execute function reelmill.count_nothing('job');
create trigger webhook_deliveries_counted after insert or delete on reelmill.webhook_deliveries for each row execute function reelmill.count_change('delivery');
create trigger webhook_deliveries_counted_anew after update on reelmill.webhook_deliveries for each row
	when (old.status <> new.status) execute function reelmill.count_change('delivery');
create trigger webhook_deliveries_counted_none after truncate on reelmill.webhook_deliveries for each statement execute function reelmill.count_nothing('delivery');
create trigger publications_counted after insert or delete on reelmill.publications for each row execute function reelmill.count_change('publication');
create trigger publications_counted_anew after update on reelmill.publications for each row
	when ((old.copied_at is null) <> (new.copied_at is null)) execute function reelmill.count_change('publication');
create trigger publications_counted_none after truncate on reelmill.publications for each statement execute function reelmill.count_nothing('publication');
