-- Expand: nothing that was there is changed.
-- Compatible from 0027: older servers have no use for what is new, and aren't seen.
-- The servers that work on this database, each with the mark of its local storage.
create table reelmill.servers_seen (
	id uuid primary key,
	storage_mark text not null,
	seen_at timestamptz not null
);
