-- Compatible from 0027: older servers have no use for what is new. What they give out has no time and speed, and their workers aren't seen.
-- When the present attempt began, and how far it came by itself: `progress` is of all attempts. Narrow still: heartbeats change no column that an index has.
alter table reelmill.jobs add column claimed_lock uuid, add column claimed_at timestamptz, add column attempt_progress integer not null default 0;
alter table reelmill.chunks add column claimed_lock uuid, add column claimed_at timestamptz;
alter table reelmill.transcriptions add column claimed_lock uuid, add column claimed_at timestamptz;
-- The operator's list, in its order.
create index jobs_oldest on reelmill.jobs (queued_at, id);

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
create index workers_seen_last on reelmill.workers_seen (seen_at);
-- What each of them has.
create index jobs_of_worker on reelmill.jobs (worker) where lock is not null;
create index transcriptions_of_worker on reelmill.transcriptions (worker) where lock is not null;
