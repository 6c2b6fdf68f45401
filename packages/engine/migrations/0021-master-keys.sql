-- The master keys that servers of this installation sign and seal with, or did, by their fingerprints. A server that starts takes a turn for its key: the key with
-- the last turn is the one that every secret is to be sealed under, also while servers with another one still run.
create sequence reelmill.master_key_turns;
create table reelmill.master_keys (
	fingerprint bytea primary key,
	turn bigint not null,
	-- When a server that signs with it was last seen.
	used_at timestamptz not null
);
