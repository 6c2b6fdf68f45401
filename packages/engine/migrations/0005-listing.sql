-- A filtered list reads only rows of its filter, in the list's order.
create index videos_newest_in_state on reelmill.videos (domain_id, state, created_at desc, id desc) where deleted_at is null;
create index webhook_deliveries_newest_in_status on reelmill.webhook_deliveries (domain_id, status, created_at desc, id desc);

-- Replays asked for and not yet sent. They are owed whatever becomes of the attempts of the schedule, which attempts_left counts: none but where the delivery is pending.
alter table reelmill.webhook_deliveries add column replays_owed integer not null default 0 check (replays_owed >= 0);
update reelmill.webhook_deliveries set attempts_left = 0 where status <> 'pending';
