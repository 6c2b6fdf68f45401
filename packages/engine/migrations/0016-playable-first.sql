-- What of the present attempt can be played before the job is done, `{ prefix, files }` as of a video's outputs; null where nothing can. It ends with the attempt.
alter table reelmill.jobs add column playable jsonb;
