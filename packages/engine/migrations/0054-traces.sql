-- Compatible from 0027: the column may be empty, and older servers leave it so.
-- The W3C trace context of the request that made the video, so that its workers and webhooks continue the trace.
alter table reelmill.videos add column traceparent text check (length(traceparent) <= 55);

do $$ begin
	execute replace(replace(pg_get_functiondef('reelmill.initiate_upload(jsonb, jsonb, timestamptz)'::regprocedure),
		'insert into reelmill.videos (id,', 'insert into reelmill.videos (traceparent, id,'),
		'values (wanted.id,', 'values (wanted.traceparent, wanted.id,');
end $$;
