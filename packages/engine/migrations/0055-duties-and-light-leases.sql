-- Expand: sweeps have duties, and upload leases name their server.
-- Compatible from 0045: older servers sweep without duties, and take upload leases that have no server.
-- Checked by hand: alter table reelmill.upload_leases set unlogged: it has a row for each request that writes to an upload right now.
-- Checked by hand: create index upload_leases_asked: the same table.
-- What one server at a time does for all. Its server renews the row; another one takes it over when it has expired. `epoch` counts the servers that had it.
create table reelmill.duties (
	name text primary key,
	holder uuid not null,
	epoch bigint not null,
	expires_at timestamptz not null
) with (fillfactor = 50);

-- The servers on which uploads run. A lease lasts as long as its server says that it lives, so nobody renews the leases one by one.
-- A crash of PostgreSQL empties this table and the leases together. The row of the nil UUID tells how long they have been here.
create unlogged table reelmill.upload_servers (
	id uuid primary key,
	since timestamptz not null,
	alive_until timestamptz not null
) with (fillfactor = 20);
insert into reelmill.upload_servers (id, since, alive_until) values ('00000000-0000-0000-0000-000000000000', '-infinity', 'infinity');

alter table reelmill.upload_leases set unlogged;
-- Null: of a server that knows no duties. Its leases end by `expires_at`.
alter table reelmill.upload_leases add column server uuid;
create index upload_leases_asked on reelmill.upload_leases (server) where asked;
