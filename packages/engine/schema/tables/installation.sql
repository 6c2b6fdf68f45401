-- The migrations of the engine, with the version that brought each and the oldest schema whose servers may run beside it; null: those that know it.
create table reelmill.schema_versions (
	name text primary key,
	release text not null,
	compatible_from text
);

-- The master keys that servers of this installation sign and seal with, or did, by their fingerprints. A server that starts takes a turn for its key: the key with
-- the last turn is the one that every secret is to be sealed under, also while servers with another one still run.
create sequence reelmill.master_key_turns;
create table reelmill.master_keys (
	fingerprint bytea primary key,
	turn bigint not null,
	-- When a server that signs with it was last seen.
	used_at timestamptz not null
);

-- The mark of the storage that is the installation's default: it lies there as well. At most one row.
create table reelmill.local_storage (
	is_only boolean primary key default true check (is_only),
	mark text not null,
	noted_at timestamptz not null
);

-- The servers that work on this database, each with the mark of its local storage.
create table reelmill.servers_seen (
	id uuid primary key,
	storage_mark text not null,
	seen_at timestamptz not null
);

-- What one server at a time does for all. Its server renews the row; another one takes it over when it has expired. `epoch` counts the servers that had it.
create table reelmill.duties (
	name text primary key,
	holder uuid not null,
	epoch bigint not null,
	expires_at timestamptz not null
) with (fillfactor = 50);

-- What `prove_writable` writes.
create table reelmill.readiness (written_at timestamptz not null);
