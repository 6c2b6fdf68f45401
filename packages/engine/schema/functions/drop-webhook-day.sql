-- Drops a day's partitions that were taken out, and takes their deliveries from the counts. Nobody waits for it.
create or replace function reelmill.drop_webhook_day(day date) returns void language plpgsql as $$
declare
	suffix text := to_char(day, 'YYYYMMDD');
begin
	execute format('lock table reelmill.webhook_deliveries_%s in access exclusive mode', suffix);
	execute format('insert into reelmill.counts (subject, name, change) select ''delivery'', status, -count(*) from reelmill.webhook_deliveries_%s group by status', suffix);
	execute format('drop table reelmill.webhook_deliveries_%1$s, reelmill.webhook_exchanges_%1$s', suffix);
end $$;
