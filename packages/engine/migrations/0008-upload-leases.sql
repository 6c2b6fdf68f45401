-- Who writes to an upload now, over all servers. A lease that ran out belongs to whoever takes it; `lock` tells one taking from every other.
create table reelmill.upload_leases (
	video_id uuid primary key,
	lock uuid not null,
	-- Another request waits for it.
	asked boolean not null,
	-- By the database's clock: those of servers differ.
	expires_at timestamptz not null
) with (fillfactor = 50);
