-- Rows that are over, each kind in the order in which it is forgotten.
create index videos_deleted on reelmill.videos (deleted_at, id) where deleted_at is not null and session_id is null;
create index videos_of_sessions_deleted on reelmill.videos (deleted_at, id) where deleted_at is not null and session_id is not null;
create index videos_ended on reelmill.videos (expires_at, id) where kind = 'video' and state in ('expired', 'cancelled') and deleted_at is null;
create index usage_days_oldest on reelmill.usage_days (day);
create index domain_keys_ended on reelmill.domain_keys (expires_at) where expires_at is not null;
create index storage_profiles_oldest on reelmill.storage_profiles (created_at, id);
create index domains_purged on reelmill.domains (purged_at, id) where purged_at is not null;

-- What a row to be forgotten is still needed by: looked up by our statements, and by the foreign keys.
create index videos_of_domain on reelmill.videos (domain_id);
create index videos_in_profile on reelmill.videos (storage_profile_id) where storage_profile_id is not null;
create index domains_in_profile on reelmill.domains (storage_profile_id) where storage_profile_id is not null;
create index deletions_by_reference on reelmill.deletions (reference collate "C");
