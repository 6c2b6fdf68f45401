-- Pieces of a video that its worker offers to others. They live as long as the attempt that offered them: what ends that deletes them in the same statement.
alter table reelmill.jobs add column chunked boolean not null default false;
-- Narrow, as jobs are: heartbeats change no column that an index has.
create table reelmill.chunks (
	id uuid primary key,
	video_id uuid not null,
	domain_id uuid not null,
	-- The lock of the attempt that offered it.
	parent_lock uuid not null,
	number integer not null,
	plan jsonb not null,
	-- `taken`: by the worker that has the video.
	state text not null default 'waiting' check (state in ('waiting', 'locked', 'done', 'failed', 'taken')),
	attempt integer not null default 0,
	progress integer not null default 0,
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	delivery uuid,
	-- Of one that is done: where its files lie, and each with its size and sum.
	prefix text,
	files jsonb,
	created_at timestamptz not null,
	unique (video_id, number)
) with (fillfactor = 70);
create index chunks_unfinished on reelmill.chunks (created_at, number) where state in ('waiting', 'locked');

-- Who waits in a claim and takes chunks, on whichever server. A row too many or too few costs a worse choice and nothing else, so it need not survive a crash.
create unlogged table reelmill.waiting_workers (
	id uuid primary key,
	machine text not null,
	until timestamptz not null
);
