-- What each domain uploaded, reserved and had encoded on each UTC day; the row of the nil UUID counts the whole installation.
create table reelmill.usage_days (
	domain_id uuid not null,
	day date not null,
	uploaded_bytes bigint not null default 0 check (uploaded_bytes >= 0),
	reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
	encoded_seconds double precision not null default 0,
	primary key (domain_id, day)
);

alter table reelmill.domains
	add column storage_bytes bigint not null default 0 check (storage_bytes >= 0),
	add column reserved_bytes bigint not null default 0 check (reserved_bytes >= 0);

-- A sandbox session's key: it ends, and sees only what carries its session.
alter table reelmill.domain_keys add column session_id uuid;
alter table reelmill.videos add column session_id uuid;
create index videos_of_session on reelmill.videos (session_id, created_at) where session_id is not null;
create index videos_of_uploader on reelmill.videos (domain_id, uploader_ref, created_at desc) where uploader_ref is not null;
drop index reelmill.videos_uploader_pending;
