-- Expand: videos are found by the beginning of a reference.
-- Compatible from 0001: older servers search for nothing.
create index concurrently videos_of_external_ref_prefix on reelmill.videos (domain_id, lower(external_ref) text_pattern_ops)
	where external_ref is not null and deleted_at is null;
create index concurrently videos_of_uploader_prefix on reelmill.videos (domain_id, lower(uploader_ref) text_pattern_ops)
	where uploader_ref is not null and deleted_at is null;
