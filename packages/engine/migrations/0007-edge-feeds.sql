-- Expand: what an edge has to drop from its cache is noted, for domains whose feed is read.
-- Compatible from 0001: the triggers note the changes of older servers, too, which read nothing of it.

-- Domains whose feed is read. What changed while nobody read it was not noted: whoever reads it again after that gets another `followed_since`.
create table reelmill.edge_domains (
	domain_id uuid primary key references reelmill.domains on delete cascade,
	followed_since timestamptz not null,
	-- Behind by some minutes.
	read_at timestamptz not null,
	-- How often the oldest changes were given up, because there were too many.
	drops integer not null default 0
);

-- Videos whose cached files an edge can't use any more, with the last time that this was so.
create table reelmill.edge_changes (
	domain_id uuid not null,
	video_id uuid not null,
	change uuid not null default gen_random_uuid(),
	changed_at timestamptz not null,
	primary key (domain_id, video_id)
);
create index edge_changes_oldest on reelmill.edge_changes (changed_at);

\ir ../schema/functions/note-edge-change.sql
\ir ../schema/functions/drop-edge-changes.sql

-- Until a video has outputs, only what can be played of its job is served.
create trigger videos_noted_for_edges after update on reelmill.videos for each row
	when (new.kind = 'video' and (old.visibility <> new.visibility
		or old.outputs is not null and ((old.deleted_at is null) <> (new.deleted_at is null) or old.outputs ->> 'prefix' is distinct from new.outputs ->> 'prefix')))
	execute function reelmill.note_edge_change();
create trigger jobs_noted_for_edges after update of playable on reelmill.jobs for each row
	when (old.playable is not null and old.playable ->> 'prefix' is distinct from new.playable ->> 'prefix') execute function reelmill.note_edge_change();
create trigger jobs_ended_noted_for_edges after delete on reelmill.jobs for each row
	when (old.playable is not null) execute function reelmill.note_edge_change();
