-- Whether anyone may watch the video's outputs.
create or replace function reelmill.is_public(video reelmill.videos) returns boolean language sql immutable as $$
	select video.kind = 'video' and video.visibility = 'public' and video.outputs is not null and video.deleted_at is null
$$;
