-- Expand: clips are cut out of finished videos.
-- Compatible from 0001: older servers know no clips. They queue them as any video, and never give them out: the trigger hides their jobs from them.

-- A video that is cut of another one. Nothing was uploaded for it.
create table reelmill.clips (
	video_id uuid primary key references reelmill.videos on delete cascade,
	-- No reference: a clip outlives what it is cut of.
	source_video_id uuid not null,
	start_seconds double precision not null,
	end_seconds double precision not null,
	-- The video's.
	created_at timestamptz not null
);
create index clips_newest on reelmill.clips (source_video_id, created_at desc, video_id desc);

-- Of a clip, when it may be given out: `not_before` is never, so that no server gives it out that doesn't know clips.
alter table reelmill.jobs add column clip_not_before timestamptz;

\ir ../schema/functions/hide-clip.sql
\ir ../schema/functions/initiate-upload.sql

create trigger jobs_of_clips before insert on reelmill.jobs for each row execute function reelmill.hide_clip();
create trigger jobs_of_clips_changed before update of lock, not_before on reelmill.jobs for each row
	when (old.clip_not_before is not null) execute function reelmill.hide_clip();
