-- Expand: the schema that the first release begins with. Later migrations change it; of the tables, these files say how they began.

-- Functions come before the triggers that call them, and after the tables whose rows they take.
\ir ../schema/functions/change-console-account.sql
\ir ../schema/functions/choose-storage.sql
\ir ../schema/functions/count-change.sql
\ir ../schema/functions/count-nothing.sql
\ir ../schema/functions/delete-outro.sql
\ir ../schema/functions/delete-webhook-exchanges.sql
\ir ../schema/functions/detach-webhook-day.sql
\ir ../schema/functions/drop-webhook-day.sql
\ir ../schema/functions/follow-publicity.sql
\ir ../schema/functions/initiate-upload-once.sql
\ir ../schema/functions/initiate-upload.sql
\ir ../schema/functions/make-webhook-day.sql
\ir ../schema/functions/note-webhook-set.sql
\ir ../schema/functions/present-turn.sql
\ir ../schema/functions/prove-writable.sql
\ir ../schema/functions/recount.sql
\ir ../schema/functions/refuse-deletion-by-place.sql
\ir ../schema/functions/refuse-unlisted-move.sql
\ir ../schema/functions/revoke-viewer.sql
\ir ../schema/functions/rotate-domain-key.sql
\ir ../schema/functions/rotate-webhook-secret.sql
\ir ../schema/functions/rotation-fault.sql
\ir ../schema/functions/take-master-key-turn.sql
\ir ../schema/functions/withdraw.sql
\ir ../schema/functions/within-session.sql

\ir ../schema/tables/installation.sql
\ir ../schema/tables/accounts.sql
\ir ../schema/tables/domains.sql
\ir ../schema/tables/storage.sql
\ir ../schema/tables/videos.sql
\ir ../schema/functions/is-public.sql
\ir ../schema/tables/publications.sql
\ir ../schema/tables/outros.sql
\ir ../schema/tables/uploads.sql
\ir ../schema/tables/usage.sql
\ir ../schema/tables/rate-limits.sql
\ir ../schema/tables/jobs.sql
\ir ../schema/tables/playback.sql
\ir ../schema/tables/webhooks.sql
\ir ../schema/tables/counts.sql
\ir ../schema/tables/console.sql
\ir ../schema/functions/console-label.sql
\ir ../schema/functions/console-role.sql
\ir ../schema/tables/audit.sql
