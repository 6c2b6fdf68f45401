-- How far a video had come when its job ended. While it has a job, that one tells.
alter table reelmill.videos add column progress integer not null default 0;
