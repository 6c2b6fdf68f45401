/** What the audit log tells of, and what each action did. Imports nothing, so that clients can have it. */
export const auditActions = {
	"domain.created": "A domain was created.",
	"domain.updated": "A domain's slug or limits were changed.",
	"domain.deleted": "A domain was deleted.",
	"domain.config_updated": "A domain's configuration was changed.",
	"domain.key_added": "A domain was given a further key.",
	"domain.key_rotated": "A domain's key was rotated.",
	"domain.key_ended": "The grace period of a domain's key was ended.",
	"domain.webhook_secret_rotated": "A domain's webhook secret was rotated.",
	"domain.transcripts_requested": "Transcripts that no worker could make before were requested.",
	"storage.chosen": "A domain chose where its new videos are stored, or gave that place another key.",
	"storage.reverted": "A domain went back to the local disk.",
	"playback_keys.revoked": "The playback keys of a viewer were revoked.",
	"playback_keys.all_revoked": "All playback keys of a domain were revoked.",
	"outro.created": "The upload of an outro was begun.",
	"outro.deleted": "An outro was deleted.",
	"import.created": "The import of a video from an address was asked for.",
	"import.cancelled": "An import was cancelled.",
	"clip.created": "A clip was cut out of a video.",
	"video.visibility_changed": "A video was made public or private.",
	"video.captions_changed": "A video was given captions, or they were corrected.",
	"video.captions_deleted": "Captions were taken away from a video.",
	"video.chapters_changed": "The chapters of a video were named.",
	"video.poster_changed": "A poster was chosen for a video.",
	"video.poster_deleted": "A video went back to the poster that was chosen automatically.",
	"video.chapters_deleted": "The chapters of a video were taken away.",
	"video.metadata_changed": "A video's title or values were changed.",
	"video.cancelled": "A video was cancelled.",
	"video.deleted": "A video was deleted.",
	"uploader.erased": "The videos and the name of a person who uploaded were erased.",
	"video.reprocessed": "A failed video was queued again.",
	"service_account.created": "A service account was created.",
	"service_account.secret_rotated": "A service account's secret was rotated.",
	"service_account.revoked": "A service account was revoked.",
	"console.signed_in": "Someone signed in to the console.",
	"console.signed_out": "Someone signed out of the console.",
	"console_account.disabled": "A console account was disabled.",
	"console_account.enabled": "A console account was enabled again.",
	"console_account.updated": "A console account's role or domains were changed.",
} as const;
/** What was done, in an entry of the audit log. */
export type AuditAction = keyof typeof auditActions;

/** Who may have made a change. */
export const auditActorKinds = ["account", "domain_key", "admin_key", "engine"] as const;
/** What kind of actor an entry of the audit log names. */
export type AuditActorKind = (typeof auditActorKinds)[number];

/** What an action is done to. */
export const auditResourceKinds = [
	"domain",
	"video",
	"outro",
	"import",
	"viewer",
	"service_account",
	"console_account",
] as const;
/** What kind of thing an entry of the audit log is about. */
export type AuditResourceKind = (typeof auditResourceKinds)[number];
