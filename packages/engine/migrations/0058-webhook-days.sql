-- Expand: the webhook log is partitioned by the UTC day of the event. What was there becomes a partition as it is.
-- Compatible from 0045: names and columns stay, and no statement of an older server names a unique index of these tables. An older server's sweep doesn't forget deleted domains with a webhook log any more, because it would delete other rows; a new server's sweep does.
-- Checked by hand: do: it renames tables, attaches them by constraints that are valid already, and drops triggers that the new tables have as well. No row is read.
-- See docs/decisions/0073-the-webhook-log-by-days.md.

-- Deletes the exchanges of deliveries that are deleted row by row. It stands for a foreign key, which partitions can't have here.
create function reelmill.delete_webhook_exchanges() returns trigger language plpgsql as $$
begin
	delete from reelmill.webhook_exchanges e using gone
	where e.delivery_id = gone.id and e.created_at in (gone.created_at, '-infinity');
	return null;
end $$;

-- Older servers delete rows by their place (ctid), which several partitions have.
create function reelmill.refuse_deletion_by_place() returns trigger language plpgsql as $$
begin
	if current_query() ~* '\mctid\M' then
		raise exception 'rows of % are not deleted by ctid: partitions share it', tg_relid::regclass using errcode = 'feature_not_supported';
	end if;
	return null;
end $$;

-- Makes the partitions of a day, and returns whether it did. It does not if they are there, if a row of this day is in the default partition already, or if a lock isn't free for 0.4 s.
create function reelmill.make_webhook_day(day date) returns boolean language plpgsql set lock_timeout = '400ms' as $$
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

-- Takes a day's partitions out of the log, and returns whether it did. Deliveries that are pending, or whose last attempt was made later than `before`, go to the default partition at the same moment.
-- It does not if more than 10,000 deliveries would have to, or if a lock isn't free for 0.4 s.
create function reelmill.detach_webhook_day(day date, before timestamptz) returns boolean language plpgsql set lock_timeout = '400ms' set enable_seqscan = off as $$
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

-- Drops a day's partitions that were taken out, and takes their deliveries from the counts. Nobody waits for it.
create function reelmill.drop_webhook_day(day date) returns void language plpgsql as $$
declare
	suffix text := to_char(day, 'YYYYMMDD');
begin
	execute format('lock table reelmill.webhook_deliveries_%s in access exclusive mode', suffix);
	execute format('insert into reelmill.counts (subject, name, change) select ''delivery'', status, -count(*) from reelmill.webhook_deliveries_%s group by status', suffix);
	execute format('drop table reelmill.webhook_deliveries_%1$s, reelmill.webhook_exchanges_%1$s', suffix);
end $$;

-- Drops the partitions of before the days once they are empty, and returns whether it did.
create function reelmill.drop_webhook_days_before() returns boolean language plpgsql set lock_timeout = '400ms' as $$
begin
	if exists (select from reelmill.webhook_deliveries_before) then
		return false;
	end if;
	lock table reelmill.webhook_deliveries, reelmill.webhook_exchanges in access exclusive mode;
	if exists (select from reelmill.webhook_deliveries_before) then
		return false;
	end if;
	drop table reelmill.webhook_deliveries_before, reelmill.webhook_exchanges_before;
	return true;
exception when lock_not_available then
	return false;
end $$;

do $$
declare
	bound text := substring((select pg_get_constraintdef(oid) from pg_constraint
		where conname = 'webhook_deliveries_before' and conrelid = 'reelmill.webhook_deliveries'::regclass) from '''([^'']+)''');
	is_new boolean;
begin
	lock table reelmill.webhook_deliveries, reelmill.webhook_exchanges in access exclusive mode;
	is_new := not exists (select from reelmill.webhook_deliveries);
	alter table reelmill.webhook_exchanges drop constraint webhook_exchanges_delivery_id_fkey;
	drop trigger webhook_deliveries_counted on reelmill.webhook_deliveries;
	drop trigger webhook_deliveries_counted_anew on reelmill.webhook_deliveries;
	drop trigger webhook_deliveries_counted_none on reelmill.webhook_deliveries;
	alter table reelmill.webhook_deliveries rename to webhook_deliveries_before;
	alter table reelmill.webhook_exchanges rename to webhook_exchanges_before;

	-- Ids are unique within a partition. Each partition has its own indexes, after those of the default one.
	create table reelmill.webhook_deliveries (like reelmill.webhook_deliveries_before including defaults including constraints) partition by range (created_at);
	create table reelmill.webhook_exchanges (like reelmill.webhook_exchanges_before including defaults including constraints) partition by range (created_at);
	alter table reelmill.webhook_deliveries drop constraint webhook_deliveries_before;
	alter table reelmill.webhook_exchanges drop constraint webhook_exchanges_before;
	-- What no day has a partition for: an insert finds a place whatever the clocks show. And what outlives its day.
	create table reelmill.webhook_deliveries_default (like reelmill.webhook_deliveries_before including all);
	create table reelmill.webhook_exchanges_default (like reelmill.webhook_exchanges_before including all);
	alter table reelmill.webhook_deliveries_default drop constraint webhook_deliveries_before;
	alter table reelmill.webhook_exchanges_default drop constraint webhook_exchanges_before;
	-- What outlives its day is found by it.
	create index on reelmill.webhook_deliveries_default (((attempts -> -1 ->> 'attempted_at') collate "C")) where status <> 'pending';
	if is_new then
		drop table reelmill.webhook_deliveries_before;
		drop table reelmill.webhook_exchanges_before;
	else
		execute format('alter table reelmill.webhook_deliveries attach partition reelmill.webhook_deliveries_before for values from (minvalue) to (%L)', bound);
		execute format('alter table reelmill.webhook_exchanges attach partition reelmill.webhook_exchanges_before for values from (minvalue) to (%L)', bound);
	end if;
	alter table reelmill.webhook_deliveries attach partition reelmill.webhook_deliveries_default default;
	alter table reelmill.webhook_exchanges attach partition reelmill.webhook_exchanges_default default;

	create trigger webhook_deliveries_counted after insert or delete on reelmill.webhook_deliveries for each row execute function reelmill.count_change('delivery');
	create trigger webhook_deliveries_counted_anew after update on reelmill.webhook_deliveries for each row
		when (old.status <> new.status) execute function reelmill.count_change('delivery');
	create trigger webhook_deliveries_counted_none after truncate on reelmill.webhook_deliveries for each statement execute function reelmill.count_nothing('delivery');
	create trigger webhook_deliveries_exchanges after delete on reelmill.webhook_deliveries
		referencing old table as gone for each statement execute function reelmill.delete_webhook_exchanges();
	create trigger webhook_deliveries_by_place before delete on reelmill.webhook_deliveries for each statement execute function reelmill.refuse_deletion_by_place();
end $$;
