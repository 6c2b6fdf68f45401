-- Makes the partitions of a day, and returns whether it did. It does not if they are there, if a row of this day is in the default partition already, or if a lock isn't free for 0.4 s.
create or replace function reelmill.make_webhook_day(day date) returns boolean language plpgsql set lock_timeout = '400ms' as $$
declare
	bounds text := format('for values from (%L) to (%L)', day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
	suffix text := to_char(day, 'YYYYMMDD');
begin
	perform pg_advisory_xact_lock(7283946512);
	if to_regclass('reelmill.webhook_deliveries_' || suffix) is not null then
		return false;
	end if;
	execute format('create table reelmill.webhook_exchanges_%s (like reelmill.webhook_exchanges_default including all)', suffix);
	execute format('create table reelmill.webhook_deliveries_%s (like reelmill.webhook_deliveries_default including all) with (fillfactor = 80)', suffix);
	-- Rows of the other partitions are forgotten one by one, by this index; these all at once.
	execute format('drop index reelmill.webhook_deliveries_%s_created_at_idx', suffix);
	execute format('alter table reelmill.webhook_exchanges attach partition reelmill.webhook_exchanges_%s %s', suffix, bounds);
	execute format('alter table reelmill.webhook_deliveries attach partition reelmill.webhook_deliveries_%s %s', suffix, bounds);
	return true;
exception when check_violation or invalid_object_definition or lock_not_available then
	return false;
end $$;
