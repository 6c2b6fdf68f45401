-- Expand: the name of an uploader can be forgotten, and what it uploaded still counts.
-- Compatible from 0001: older servers neither erase nor read the column.
alter table reelmill.videos add column uploader_digest bytea;
