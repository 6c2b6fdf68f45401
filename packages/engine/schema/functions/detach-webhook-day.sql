-- Takes a day's partitions out of the log, and returns whether it did. Deliveries that are pending, or whose last attempt was made later than `before`, go to the default partition at the same moment.
-- It does not if more than 10,000 deliveries would have to, or if a lock isn't free for 0.4 s.
create or replace function reelmill.detach_webhook_day(day date, before timestamptz) returns boolean language plpgsql set lock_timeout = '400ms' set enable_seqscan = off as $$
declare
	suffix text := to_char(day, 'YYYYMMDD');
	-- As an attempt's time is written.
	late text := to_char(before at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
	kept text := format('(select * from reelmill.webhook_deliveries_%1$s where status = ''pending''
		union all select * from reelmill.webhook_deliveries_%1$s where status <> ''pending'' and (attempts -> -1 ->> ''attempted_at'') collate "C" > %2$L) kept', suffix, late);
	number bigint;
begin
	execute format('select count(*) from (select from %s limit 10001) counted', kept) into number;
	if number > 10000 then
		return false;
	end if;
	lock table reelmill.webhook_deliveries, reelmill.webhook_exchanges in access exclusive mode;
	execute format('alter table reelmill.webhook_deliveries detach partition reelmill.webhook_deliveries_%s', suffix);
	execute format('alter table reelmill.webhook_exchanges detach partition reelmill.webhook_exchanges_%s', suffix);
	execute format('insert into reelmill.webhook_exchanges select e.* from reelmill.webhook_exchanges_%s e where e.delivery_id in (select id from %s)', suffix, kept);
	execute format('insert into reelmill.webhook_deliveries select * from %s', kept);
	return true;
exception when lock_not_available then
	return false;
end $$;
