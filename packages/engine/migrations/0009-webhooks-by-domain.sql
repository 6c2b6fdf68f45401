-- Deliveries are taken domain by domain, so that one with many waiting holds up nobody.
create index webhook_deliveries_due_of_domain on reelmill.webhook_deliveries (domain_id, next_attempt_at) where status = 'pending';
drop index reelmill.webhook_deliveries_due;
