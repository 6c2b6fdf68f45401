-- The throttle counts an upload from the moment at which its window closed: `updated_at` moves with whatever is changed of the video later.
do $$ begin
	execute replace(pg_get_functiondef('reelmill.initiate_upload(jsonb, jsonb, timestamptz)'::regprocedure), 'v.updated_at', 'v.expires_at');
end $$;
drop index reelmill.videos_uploader_expired;
create index videos_uploader_expired on reelmill.videos (domain_id, uploader_ref, expires_at) where state = 'expired';
