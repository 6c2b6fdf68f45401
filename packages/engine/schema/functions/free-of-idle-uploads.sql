-- When this many bytes more may wait for their first byte in the sandbox, of which at most `most` may; null if they may at once. One upload alone may always wait.
-- Uploads that no byte came of go with their window, the oldest first.
create or replace function reelmill.free_of_idle_uploads(sandbox uuid, size bigint, most bigint) returns timestamptz language sql stable as $$
	select case when sum(i.file_size) + size > most then min(i.expires_at) filter (where i.later = 0 or i.later + size <= most) end from (
		select v.expires_at, v.file_size, coalesce(sum(v.file_size) over (order by v.expires_at desc, v.id rows between unbounded preceding and 1 preceding), 0) as later
		from reelmill.videos v where v.domain_id = sandbox and v.state = 'pending_upload' and v.deleted_at is null and v.first_byte_at is null) i;
$$;
