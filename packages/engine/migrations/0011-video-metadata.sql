-- Expand: videos have titles and values, and are found by them.
-- Compatible from 0001: older servers show none and write none; the trigger forgets those of videos that they delete.

-- A video without a title costs nothing here.
create table reelmill.video_titles (
	video_id uuid primary key references reelmill.videos on delete cascade,
	domain_id uuid not null,
	title text not null
);
create index video_titles_prefix on reelmill.video_titles (domain_id, lower(title) text_pattern_ops);

-- The tenant's own texts of a video, by key.
create table reelmill.video_values (
	video_id uuid not null references reelmill.videos on delete cascade,
	key text not null,
	value text not null,
	domain_id uuid not null,
	-- The video's: lists are in its order.
	created_at timestamptz not null,
	primary key (video_id, key)
);
create index video_values_newest on reelmill.video_values (domain_id, key, value, created_at desc, video_id desc);

\ir ../schema/functions/forget-metadata.sql

-- A deleted video's row stays for a while. What people called it goes at once.
create trigger videos_metadata_forgotten after update of deleted_at on reelmill.videos for each row
	when (old.deleted_at is null and new.deleted_at is not null) execute function reelmill.forget_metadata();
