-- Expand: an endpoint can ask for events of updates.
-- Compatible from 0001: older servers make no updates, and read no answers for what they ask.

-- The `webhook_url` that asked for `video.updated`. If the domain has another one by now, that one has not asked.
alter table reelmill.domains add column updates_url text;
