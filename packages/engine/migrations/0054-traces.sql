-- Compatible from 0027: the column may be empty, and older servers leave it so.
-- The W3C trace context of the request that made the video, so that workers and webhooks continue its trace.
alter table reelmill.videos add column traceparent text check (length(traceparent) <= 55);
