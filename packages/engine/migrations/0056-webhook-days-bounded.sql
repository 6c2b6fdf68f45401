-- Expand: what will be the first partition of the webhook log is bounded, and exchanges can say when their delivery was made.
-- Compatible from 0045: older servers write no delivery of later than a week from now, and leave the new column at its default.
-- Checked by hand: do: it adds constraints that aren't valid yet, which reads no row.
-- '-infinity': of a server that doesn't know the column, or of before it.
alter table reelmill.webhook_exchanges add column created_at timestamptz not null default '-infinity';
-- The bound is a day that is far enough off: the migrations after this one have run long before it comes.
do $$
declare
	bound text := quote_literal((date_trunc('day', now() at time zone 'UTC') + interval '8 days') at time zone 'UTC');
begin
	execute format('alter table reelmill.webhook_deliveries add constraint webhook_deliveries_before check (created_at < %s::timestamptz) not valid', bound);
	execute format('alter table reelmill.webhook_exchanges add constraint webhook_exchanges_before check (created_at < %s::timestamptz) not valid', bound);
end $$;
