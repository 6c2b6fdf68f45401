-- Expand: the bounds of the migration before are known to hold. This reads both tables, and holds up nobody.
-- Compatible from 0045: as the one before.
alter table reelmill.webhook_deliveries validate constraint webhook_deliveries_before;
alter table reelmill.webhook_exchanges validate constraint webhook_exchanges_before;
