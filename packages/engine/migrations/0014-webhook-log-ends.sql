-- The oldest deliveries that have ended, which the sweeper removes when their time is over.
create index webhook_deliveries_ended on reelmill.webhook_deliveries (created_at) where status <> 'pending';
