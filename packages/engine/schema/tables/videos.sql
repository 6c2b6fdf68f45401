-- An outro's asset is uploaded, stored, queued and encoded as a video is, and is a row of the same table that no video operation finds.
create table reelmill.videos (
	id uuid primary key,
	kind text not null default 'video' check (kind in ('video', 'outro')),
	domain_id uuid not null references reelmill.domains,
	session_id uuid,
	external_ref text,
	uploader_ref text,
	state text not null check (state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding', 'available', 'failed', 'timeout', 'expired', 'cancelled')),
	-- Counts the changes of this row; a change is saved only over the version that it was decided on.
	version integer not null default 1,
	-- The states that it came to after the first, `[{ "state", "at", "worker" }]`: the first 8 and the last 32.
	moves jsonb not null default '[]',
	visibility text not null check (visibility in ('private', 'public')),
	content_type text not null,
	file_size bigint not null,
	max_duration_seconds integer not null,
	duration_seconds double precision,
	width integer,
	height integer,
	language text,
	-- What a worker is to make of it, fixed when the upload was initiated.
	plan jsonb not null,
	outro_id uuid,
	transcript_status text not null,
	-- Null: the local disk.
	storage_profile_id uuid references reelmill.storage_profiles,
	outputs jsonb,
	report jsonb,
	failure_reason text,
	-- How far it had come when its job ended. While it has a job, that one tells.
	progress integer not null default 0,
	-- Who took its job last.
	worker text,
	-- The W3C trace context of the request that made the video, so that its workers and webhooks continue the trace.
	traceparent text,
	-- The x-request-id of the request that made the video, or had it processed anew, for the logs of its workers and webhooks.
	request_id text,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	expires_at timestamptz not null,
	-- When bytes of its upload came first; null where the server that knew was gone before the upload was whole.
	first_byte_at timestamptz,
	uploaded_at timestamptz,
	available_at timestamptz,
	deleted_at timestamptz
);
-- A filtered list reads only rows of its filter, in the list's order.
create index videos_newest on reelmill.videos (domain_id, created_at desc, id desc) where deleted_at is null;
create index videos_newest_in_state on reelmill.videos (domain_id, state, created_at desc, id desc) where deleted_at is null;
create index videos_newest_of_external_ref on reelmill.videos (domain_id, external_ref, created_at desc, id desc)
	where external_ref is not null and deleted_at is null;
create index videos_newest_of_uploader on reelmill.videos (domain_id, uploader_ref, created_at desc, id desc)
	where uploader_ref is not null and deleted_at is null;
create index videos_of_session on reelmill.videos (session_id, created_at) where session_id is not null;
-- In the order of the keys of their outputs, so that rows and storage are compared side by side.
create index videos_in_order_of_keys on reelmill.videos (domain_id, id) where outputs is not null and deleted_at is null;
-- Uploads meet those of the same owner in the pending slot, the throttle and the hourly limit: of a sandbox session, or of a domain.
create index videos_of_owner on reelmill.videos (coalesce(session_id, domain_id), uploader_ref, created_at desc) where uploader_ref is not null;
create index videos_expired_of_owner on reelmill.videos (coalesce(session_id, domain_id), uploader_ref, expires_at) where state = 'expired';
create index videos_expiring on reelmill.videos (expires_at) where state = 'pending_upload';
create index videos_waiting on reelmill.videos (domain_id, uploaded_at) where state = 'uploaded';
create index videos_as_outros on reelmill.videos (domain_id) where kind = 'outro' and deleted_at is null;
create index videos_pinning_outros on reelmill.videos (outro_id)
	where outro_id is not null and deleted_at is null and state in ('pending_upload', 'uploaded', 'queued', 'locked', 'encoding');
-- Rows that are over, each kind in the order in which it is forgotten.
create index videos_deleted on reelmill.videos (deleted_at, id) where deleted_at is not null and session_id is null;
create index videos_of_sessions_deleted on reelmill.videos (deleted_at, id) where deleted_at is not null and session_id is not null;
create index videos_ended on reelmill.videos (expires_at, id) where kind = 'video' and state in ('expired', 'cancelled') and deleted_at is null;
-- What a row to be forgotten is still needed by: looked up by our statements, and by the foreign keys.
create index videos_of_domain on reelmill.videos (domain_id);
create index videos_in_profile on reelmill.videos (storage_profile_id) where storage_profile_id is not null;
create trigger videos_move before update of state on reelmill.videos
	for each row when (old.state is distinct from new.state) execute function reelmill.refuse_unlisted_move();

-- Each failure of a video or an outro, written by the statement that makes it fail. It outlives the video's row, so it tells nothing of what was in it.
create table reelmill.failures (
	video_id uuid not null,
	domain_id uuid not null,
	kind text not null,
	reason text not null,
	worker text,
	created_at timestamptz not null,
	primary key (video_id, created_at)
);
create index failures_newest on reelmill.failures (created_at desc, video_id desc) include (reason);
create index failures_of_reason on reelmill.failures (reason, created_at desc, video_id desc);
create index failures_of_domain on reelmill.failures (domain_id, created_at desc, video_id desc);
