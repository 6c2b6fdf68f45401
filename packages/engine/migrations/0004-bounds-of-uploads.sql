-- Expand: digests of uploaders are counted, uploads of the sandbox that sent nothing have a bound, and an upload of no video fails.
-- Compatible from 0001: older servers send no digests, make no such move, and get the refusals that they know.
create index concurrently videos_of_erased_owner on reelmill.videos (coalesce(session_id, domain_id), uploader_digest, created_at desc) where uploader_digest is not null;
create index concurrently videos_to_erase on reelmill.videos (domain_id)
	where uploader_digest is not null and deleted_at is null and state not in ('expired', 'cancelled');
\ir ../schema/functions/free-of-idle-uploads.sql
\ir ../schema/functions/initiate-upload.sql
\ir ../schema/functions/refuse-unlisted-move.sql
