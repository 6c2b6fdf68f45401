-- Compatible from 0032: nothing that was there is changed.
-- A file of its own, and so a transaction of its own: videos are read while the indexes are built, and writes of them wait for some seconds per million rows.
set local maintenance_work_mem = '256MB';
create index videos_newest_of_external_ref on reelmill.videos (domain_id, external_ref, created_at desc, id desc)
	where external_ref is not null and deleted_at is null;
create index videos_newest_of_uploader on reelmill.videos (domain_id, uploader_ref, created_at desc, id desc)
	where uploader_ref is not null and deleted_at is null;
