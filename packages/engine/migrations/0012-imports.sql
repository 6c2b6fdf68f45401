-- Expand: videos are imported from addresses.
-- Compatible from 0001: older servers know no imports, and leave them to newer ones.

-- A video that the service fetches from an address. The row tells how far it is, so that any server goes on where another one ended.
create table reelmill.imports (
	id uuid primary key,
	domain_id uuid not null references reelmill.domains on delete cascade,
	status text not null check (status in ('waiting', 'downloading', 'done', 'failed', 'cancelled')),
	-- The whole address, sealed; null once the import has ended. What is shown of it has neither query nor user.
	url text,
	shown_url text not null,
	-- What is said of the video, as it was asked for.
	input jsonb not null,
	request_id text,
	-- What the origin said of the file. It stands before the video is initiated, so that whoever goes on asks for the same video.
	content_type text,
	file_size bigint,
	validator text,
	-- No reference: an import outlives its video.
	video_id uuid,
	bytes_received bigint not null default 0,
	-- The run that may write this row. No other begins before `not_before`.
	run uuid,
	not_before timestamptz not null,
	-- Failures since the last byte came.
	attempts integer not null default 0,
	failure_code text,
	failure_message text,
	created_at timestamptz not null,
	updated_at timestamptz not null,
	ended_at timestamptz
);
create index imports_of_domain on reelmill.imports (domain_id, created_at desc, id desc);
create index imports_of_status on reelmill.imports (domain_id, status, created_at desc, id desc);
create index imports_under_way on reelmill.imports (domain_id, not_before) where ended_at is null;
create index imports_due on reelmill.imports (not_before) where ended_at is null;
create index imports_ended on reelmill.imports (ended_at) where ended_at is not null;

\ir ../schema/functions/create-import.sql
