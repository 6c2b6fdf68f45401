-- Expand: pictures of available videos are made by jobs of their own.
-- Compatible from 0001: older servers know no such jobs, and leave them to newer ones.

-- Posters that are being made. A row is a job of its own, and ends with it.
create table reelmill.posters (
	id uuid primary key,
	video_id uuid not null unique,
	-- Of a frame, its moment; null of a picture that was sent.
	at_seconds double precision,
	preview boolean not null,
	-- Of a picture that was sent, its media type and its bytes. It lies in the folder of the job's id.
	content_type text,
	file_size integer,
	-- The video's domain, whose posters come one at a time before its videos.
	domain_id uuid not null,
	-- As in `transcriptions`.
	attempt integer not null default 0,
	lost integer not null default 0,
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	claimed_lock uuid,
	claimed_at timestamptz,
	progress integer not null default 0,
	delivery uuid,
	given_back_by text[] not null default '{}',
	given_back_at timestamptz,
	created_at timestamptz not null,
	not_before timestamptz not null
) with (fillfactor = 70);
create index posters_in_order on reelmill.posters (created_at, video_id);
create index posters_of_worker on reelmill.posters (worker) where lock is not null;

alter table reelmill.workers_seen add column takes_posters boolean not null default false;
