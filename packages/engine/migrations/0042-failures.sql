-- Compatible from 0027: older servers note no failures; those that they meet are missing in the operator's list.
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

insert into reelmill.failures (video_id, domain_id, kind, reason, created_at)
select id, domain_id, kind, failure_reason, updated_at from reelmill.videos
where state in ('failed', 'timeout') and failure_reason is not null and deleted_at is null;
