-- What each domain uploaded, reserved and had encoded on each UTC day; the row of the nil UUID counts the whole installation, where that has a quota.
create table reelmill.usage_days (
	domain_id uuid not null,
	day date not null,
	uploaded_bytes bigint not null default 0 check (uploaded_bytes >= 0),
	reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
	encoded_seconds double precision not null default 0,
	-- For charts. The storage is as it was after the last change of the day; null where none noted it.
	uploads integer not null default 0,
	available integer not null default 0,
	failures integer not null default 0,
	storage_bytes bigint,
	primary key (domain_id, day)
) with (fillfactor = 70);
create index usage_days_oldest on reelmill.usage_days (day);
