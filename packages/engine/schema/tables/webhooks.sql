-- Partitioned by the UTC day of the event (docs/decisions/row-retention.md). Ids are unique within a partition.
create table reelmill.webhook_deliveries (
	id uuid not null,
	domain_id uuid not null,
	video_id uuid not null,
	type text not null,
	body bytea not null,
	url text not null,
	status text not null check (status in ('pending', 'failed', 'delivered')),
	attempts jsonb not null default '[]',
	attempt_count integer not null default 0,
	-- Of the schedule: none but where the delivery is pending.
	attempts_left integer not null,
	-- Replays asked for and not yet sent. They are owed whatever becomes of the attempts of the schedule.
	replays_owed integer not null default 0 check (replays_owed >= 0),
	next_attempt_at timestamptz,
	leased_until timestamptz,
	created_at timestamptz not null,
	delivered_at timestamptz
) partition by range (created_at);
create trigger webhook_deliveries_exchanges after delete on reelmill.webhook_deliveries
	referencing old table as gone for each statement execute function reelmill.delete_webhook_exchanges();
create trigger webhook_deliveries_by_place before delete on reelmill.webhook_deliveries for each statement execute function reelmill.refuse_deletion_by_place();

-- What no day has a partition for: an insert finds a place whatever the clocks show. And what outlives its day.
-- Days have its indexes, which have no names of their own: theirs are made of the day's.
create table reelmill.webhook_deliveries_default partition of reelmill.webhook_deliveries (primary key (id)) default;
create index on reelmill.webhook_deliveries_default (domain_id, created_at desc, id desc);
create index on reelmill.webhook_deliveries_default (domain_id, status, created_at desc, id desc);
create index on reelmill.webhook_deliveries_default (domain_id, type, created_at desc, id desc);
create index on reelmill.webhook_deliveries_default (domain_id, video_id, created_at desc, id desc);
-- Deliveries are taken domain by domain, so that one with many waiting holds up nobody.
create index on reelmill.webhook_deliveries_default (domain_id, next_attempt_at) where status = 'pending';
-- The oldest that have ended; only this partition forgets them one by one.
create index on reelmill.webhook_deliveries_default (created_at) where status <> 'pending';
-- What outlives its day is found by it.
create index on reelmill.webhook_deliveries_default (((attempts -> -1 ->> 'attempted_at') collate "C")) where status <> 'pending';

-- What an attempt of a delivery sent and what came back, for the last attempts of each delivery. Bounded by who writes it: headers 8 kB each, body 2 kB.
create table reelmill.webhook_exchanges (
	delivery_id uuid not null,
	attempt integer not null,
	url text not null,
	request_headers jsonb not null,
	-- Null where there was no answer.
	response_headers jsonb,
	response_body bytea,
	response_truncated boolean not null default false,
	-- The delivery's.
	created_at timestamptz not null
) partition by range (created_at);
create table reelmill.webhook_exchanges_default partition of reelmill.webhook_exchanges (primary key (delivery_id, attempt)) default;

-- Who asks for a domain's events instead of being sent them. A listener ends by itself, and its events with it.
create table reelmill.webhook_listeners (
	domain_id uuid not null references reelmill.domains on delete cascade,
	-- Chosen by the listener.
	id uuid not null,
	expires_at timestamptz not null,
	primary key (domain_id, id)
);
create index webhook_listeners_ending on reelmill.webhook_listeners (expires_at);

-- Events that a listener has not confirmed yet, with the bytes that were rendered when they happened.
create table reelmill.webhook_heard (
	domain_id uuid not null,
	listener_id uuid not null,
	id uuid not null,
	position bigint generated always as identity,
	video_id uuid not null,
	type text not null,
	body bytea not null,
	created_at timestamptz not null,
	primary key (domain_id, listener_id, id),
	foreign key (domain_id, listener_id) references reelmill.webhook_listeners on delete cascade
);
