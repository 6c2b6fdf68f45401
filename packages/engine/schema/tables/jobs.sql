-- Narrow on purpose: heartbeats rewrite this row and change no column that an index has, so they stay HOT.
create table reelmill.jobs (
	id uuid primary key,
	kind text not null,
	domain_id uuid not null,
	-- 0: of tenants; 1: of the sandbox, whose jobs are given out when nothing of any tenant could be.
	rank smallint not null default 0,
	turn bigint not null default 0,
	attempt integer not null default 0,
	-- How many attempts a worker ended that stopped or was lost. The job didn't spoil them.
	losses integer not null default 0,
	-- How many workers in a row were lost before anything was finished that another attempt keeps.
	fruitless integer not null default 0,
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	-- When the present attempt began, and how far it came by itself: `progress` is of all attempts.
	claimed_lock uuid,
	claimed_at timestamptz,
	attempt_progress integer not null default 0,
	progress integer not null default 0,
	-- Which archive of the present attempt's outputs was stored last; null where none was.
	delivery uuid,
	-- What of the present attempt can be played before the job is done, `{ prefix, files }` as of a video's outputs; null where nothing can. It ends with the attempt.
	playable jsonb,
	chunked boolean not null default false,
	-- Into how many chunks a worker cut its source. Finished ones stay for the attempts after it.
	cut integer,
	queued_at timestamptz not null,
	-- Since when it has waited for a worker, the wait for a processing slot included.
	waiting_since timestamptz not null,
	not_before timestamptz not null,
	started_at timestamptz
) with (fillfactor = 70);
create index jobs_waiting on reelmill.jobs (rank, turn, queued_at) where lock is null;
-- The operator's list, in its order.
create index jobs_oldest on reelmill.jobs (queued_at, id);
create index jobs_of_worker on reelmill.jobs (worker) where lock is not null;

-- Pieces of a video that its worker offers to others. They live as long as the attempt that offered them: what ends that deletes them in the same statement.
-- Narrow, as jobs are.
create table reelmill.chunks (
	id uuid primary key,
	video_id uuid not null,
	domain_id uuid not null,
	number integer not null,
	rank smallint not null default 0,
	-- The lock of the attempt that offered it.
	parent_lock uuid not null,
	plan jsonb not null,
	-- `taken`: by the worker that has the video.
	state text not null default 'waiting' check (state in ('waiting', 'locked', 'done', 'failed', 'taken')),
	attempt integer not null default 0,
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	claimed_lock uuid,
	claimed_at timestamptz,
	progress integer not null default 0,
	delivery uuid,
	-- Of one that is done: where its files lie, and each with its size and sum.
	prefix text,
	files jsonb,
	created_at timestamptz not null,
	unique (video_id, number)
) with (fillfactor = 70);
create index chunks_unfinished on reelmill.chunks (rank, created_at, number) where state in ('waiting', 'locked');

-- Transcripts that are made of videos which are available already. A row is a job of its own, of the video's id, and ends with it.
create table reelmill.transcriptions (
	video_id uuid primary key,
	attempt integer not null default 0,
	-- How many workers it lost that were not heard of any more. The job didn't spoil these attempts, and `attempt` doesn't count them.
	lost integer not null default 0,
	-- The video's other jobs are over: nothing but this lock tells one attempt from another.
	lock uuid,
	lock_expires_at timestamptz,
	worker text,
	claimed_lock uuid,
	claimed_at timestamptz,
	progress integer not null default 0,
	delivery uuid,
	created_at timestamptz not null,
	not_before timestamptz not null
) with (fillfactor = 70);
create index transcriptions_in_order on reelmill.transcriptions (created_at, video_id);
create index transcriptions_of_worker on reelmill.transcriptions (worker) where lock is not null;

-- Who waits in a claim and takes chunks, on whichever server. A row too many or too few costs a worse choice and nothing else, so it need not survive a crash.
create unlogged table reelmill.waiting_workers (
	id uuid primary key,
	machine text not null,
	until timestamptz not null
);

-- Who asked for jobs, by the name that jobs have for their worker. Written at most once a minute for each.
create table reelmill.workers_seen (
	id uuid primary key,
	name text not null unique,
	account_id uuid not null,
	worker text not null,
	address text,
	machine text,
	takes_chunks boolean not null,
	takes_transcripts boolean not null,
	takes_sandbox boolean not null,
	-- First seen.
	created_at timestamptz not null,
	seen_at timestamptz not null
) with (fillfactor = 70);
create index workers_seen_newest on reelmill.workers_seen (created_at desc, id desc);
