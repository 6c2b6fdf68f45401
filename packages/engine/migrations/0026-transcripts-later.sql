-- Transcripts that are made of videos which are available already. A row is a job of its own, of the video's id, and ends with it.
create table reelmill.transcriptions (
	video_id uuid primary key,
	-- The video's other jobs are over: nothing but this lock tells one attempt from another.
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	attempt integer not null default 0,
	progress integer not null default 0,
	delivery uuid,
	not_before timestamptz not null,
	created_at timestamptz not null
) with (fillfactor = 70);
create index transcriptions_in_order on reelmill.transcriptions (created_at, video_id);
