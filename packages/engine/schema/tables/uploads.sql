-- Who writes to an upload now, over all servers. `lock` tells one taking from every other.
create unlogged table reelmill.upload_leases (
	video_id uuid primary key,
	lock uuid not null,
	server uuid not null,
	-- Another request waits for it.
	asked boolean not null
) with (fillfactor = 50);
create index upload_leases_asked on reelmill.upload_leases (server) where asked;

-- The servers on which uploads run. A lease lasts as long as its server says that it lives, so nobody renews the leases one by one.
-- A crash of PostgreSQL empties this table and the leases together. The row of the nil UUID tells how long they have been here.
create unlogged table reelmill.upload_servers (
	id uuid primary key,
	since timestamptz not null,
	alive_until timestamptz not null
) with (fillfactor = 20);
insert into reelmill.upload_servers (id, since, alive_until) values ('00000000-0000-0000-0000-000000000000', '-infinity', 'infinity');

-- What was created under a key: the video's row as it was then. Digests of the key and of the request, and no secret: the upload token is made anew.
create table reelmill.idempotency_keys (
	-- The domain, or the sandbox session.
	owner uuid not null,
	key bytea not null,
	request bytea not null,
	record jsonb not null,
	serving_outro_id uuid,
	created_at timestamptz not null,
	primary key (owner, key)
);
create index idempotency_keys_oldest on reelmill.idempotency_keys (created_at);
