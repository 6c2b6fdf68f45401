create table reelmill.domains (
	id uuid primary key,
	slug text not null,
	config jsonb not null,
	daily_upload_bytes bigint not null,
	storage_bytes_limit bigint not null,
	max_concurrent_processing integer not null,
	processing_count integer not null default 0 check (processing_count >= 0),
	playback_epoch bigint not null default 0,
	webhook_secret text,
	previous_webhook_secret text,
	previous_webhook_secret_expires_at timestamptz,
	created_at timestamptz not null,
	deleted_at timestamptz
);
create unique index domains_slug on reelmill.domains (slug) where deleted_at is null;

create table reelmill.domain_keys (
	hash bytea primary key,
	id uuid not null,
	domain_id uuid not null references reelmill.domains,
	last4 text not null,
	created_at timestamptz not null,
	expires_at timestamptz
);
create index domain_keys_domain on reelmill.domain_keys (domain_id);

create table reelmill.service_accounts (
	id uuid primary key,
	name text not null unique,
	secret_hash bytea not null,
	previous_secret_hash bytea,
	previous_secret_expires_at timestamptz,
	created_at timestamptz not null,
	revoked_at timestamptz
);

create table reelmill.videos (
	id uuid primary key,
	domain_id uuid not null references reelmill.domains,
	state text not null check (state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding', 'available', 'failed', 'timeout', 'expired', 'cancelled')),
	-- Counts the changes of this row; a change is saved only over the version that it was decided on.
	version integer not null default 1,
	visibility text not null check (visibility in ('private', 'public')),
	content_type text not null,
	file_size bigint not null,
	duration_seconds double precision,
	width integer,
	height integer,
	external_ref text,
	uploader_ref text,
	outro_id uuid,
	-- What a worker is to make of it, fixed when the upload was initiated.
	plan jsonb not null,
	max_duration_seconds integer not null,
	transcript_status text not null,
	language text,
	outputs jsonb,
	report jsonb,
	failure_reason text,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	expires_at timestamptz not null,
	uploaded_at timestamptz,
	available_at timestamptz,
	deleted_at timestamptz
);
create index videos_newest on reelmill.videos (domain_id, created_at desc, id desc) where deleted_at is null;
create index videos_expiring on reelmill.videos (expires_at) where state = 'pending_upload';
create index videos_of_uploader on reelmill.videos (domain_id, uploader_ref, created_at desc) where uploader_ref is not null;
create index videos_uploader_expired on reelmill.videos (domain_id, uploader_ref, updated_at) where state = 'expired';
create index videos_waiting on reelmill.videos (domain_id, uploaded_at) where state = 'uploaded';

-- The second lock on the table of moves in src/videos/machine.ts; a test holds the two together.
create function reelmill.refuse_unlisted_move() returns trigger language plpgsql as $$
begin
	if (old.state, new.state) in (
		('pending_upload', 'uploaded'), ('pending_upload', 'expired'), ('pending_upload', 'cancelled'),
		('uploaded', 'queued'), ('uploaded', 'timeout'), ('uploaded', 'cancelled'),
		('queued', 'locked'), ('queued', 'timeout'), ('queued', 'cancelled'),
		('locked', 'encoding'), ('locked', 'queued'), ('locked', 'available'), ('locked', 'failed'), ('locked', 'cancelled'),
		('encoding', 'queued'), ('encoding', 'available'), ('encoding', 'failed'), ('encoding', 'cancelled')
	) then
		return new;
	end if;
	raise exception 'a video cannot move from % to %', old.state, new.state using errcode = 'check_violation';
end $$;
create trigger videos_move before update of state on reelmill.videos
	for each row when (old.state is distinct from new.state) execute function reelmill.refuse_unlisted_move();

-- Narrow on purpose: heartbeats rewrite this row and no index (lock_expires_at has none), so they stay HOT.
create table reelmill.jobs (
	id uuid primary key,
	kind text not null,
	domain_id uuid not null,
	attempt integer not null default 0,
	progress integer not null default 0,
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	queued_at timestamptz not null,
	not_before timestamptz not null,
	started_at timestamptz
) with (fillfactor = 70);
create index jobs_waiting on reelmill.jobs (queued_at) where lock is null;

-- Bytes that no row needs any more, to be deleted once the change that said so has been committed.
create table reelmill.deletions (
	id bigint generated always as identity primary key,
	kind text not null check (kind in ('upload', 'outputs')),
	reference text not null,
	created_at timestamptz not null
);

create table reelmill.webhook_deliveries (
	id uuid primary key,
	domain_id uuid not null,
	video_id uuid not null,
	type text not null,
	body bytea not null,
	url text not null,
	status text not null check (status in ('pending', 'failed', 'delivered')),
	attempts jsonb not null default '[]',
	attempt_count integer not null default 0,
	attempts_left integer not null,
	next_attempt_at timestamptz,
	leased_until timestamptz,
	created_at timestamptz not null,
	delivered_at timestamptz
);
create index webhook_deliveries_newest on reelmill.webhook_deliveries (domain_id, created_at desc, id desc);
create index webhook_deliveries_due on reelmill.webhook_deliveries (next_attempt_at) where status = 'pending';

create sequence reelmill.playback_mint_order;
