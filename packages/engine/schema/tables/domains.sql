create table reelmill.domains (
	id uuid primary key,
	slug text not null,
	config jsonb not null,
	-- Quotas, and what counts against them.
	daily_upload_bytes bigint not null,
	storage_bytes_limit bigint not null,
	storage_bytes bigint not null default 0 check (storage_bytes >= 0),
	reserved_bytes bigint not null default 0 check (reserved_bytes >= 0),
	max_concurrent_processing integer not null,
	processing_count integer not null default 0 check (processing_count >= 0),
	-- A tenant with many videos waiting makes no other one wait for all of them: jobs are claimed in turns. A domain's jobs have turns that rise by one; whoever had
	-- nothing waiting goes on from the present turn.
	last_turn bigint not null default 0,
	-- Null: the local disk. The version counts the changes of place, those to and from the local disk among them.
	storage_profile_id uuid,
	storage_version integer not null default 1,
	playback_epoch bigint not null default 0,
	-- The order of the domain's newest revocation: a key minted after it needs no look at the others.
	playback_revoked_order bigint not null default 0,
	webhook_secret text,
	previous_webhook_secret text,
	previous_webhook_secret_expires_at timestamptz,
	-- What the domain did for the first time, and when.
	webhook_set_at timestamptz,
	first_uploaded_at timestamptz,
	first_played_at timestamptz,
	first_delivered_at timestamptz,
	created_at timestamptz not null,
	deleted_at timestamptz,
	-- When the last video of a deleted domain was gone.
	purged_at timestamptz
) with (fillfactor = 70);
create unique index domains_slug on reelmill.domains (slug) where deleted_at is null;
create index domains_newest on reelmill.domains (created_at desc, id desc) where deleted_at is null;
create index domains_last_turn on reelmill.domains (last_turn);
create index domains_in_profile on reelmill.domains (storage_profile_id) where storage_profile_id is not null;
create index domains_to_purge on reelmill.domains (deleted_at) where deleted_at is not null and purged_at is null;
create index domains_purged on reelmill.domains (purged_at, id) where purged_at is not null;
create trigger domains_webhook_set before update of config, webhook_secret on reelmill.domains for each row
	when (new.webhook_set_at is null and new.webhook_secret is not null and new.config ->> 'webhook_url' is not null)
	execute function reelmill.note_webhook_set();

create table reelmill.domain_keys (
	hash bytea primary key,
	id uuid not null,
	domain_id uuid not null references reelmill.domains,
	-- Of a sandbox session's key: it ends, and sees only what carries its session.
	session_id uuid,
	last4 text not null,
	created_at timestamptz not null,
	expires_at timestamptz
);
create index domain_keys_domain on reelmill.domain_keys (domain_id);
create index domain_keys_of_session on reelmill.domain_keys (session_id) where session_id is not null;
create index domain_keys_ended on reelmill.domain_keys (expires_at) where expires_at is not null;
