import type { EngineOptions } from "@reelmill/engine";
import type { Config } from "./config.ts";

const day = 86_400;

/** Returns the engine's windows, in seconds, by the settings. */
export const windowsOf = (config: Config): NonNullable<EngineOptions["windows"]> => ({
	pendingUpload: config.PENDING_UPLOAD_SECONDS,
	lock: config.LOCK_SECONDS,
	processing: config.PROCESSING_SECONDS,
	queue: config.QUEUE_SECONDS,
	rotationGrace: config.ROTATION_GRACE_SECONDS,
	sandbox: config.SANDBOX_SECONDS,
	consoleIdle: config.CONSOLE_IDLE_SECONDS,
	consoleSession: config.CONSOLE_SESSION_SECONDS,
	sweep: config.SWEEP_SECONDS,
	webhookSchedule: config.WEBHOOK_SCHEDULE_SECONDS,
	webhookLog: config.WEBHOOK_LOG_DAYS * day,
	keepDeleted: config.KEEP_DELETED_DAYS * day,
	keepEnded: config.KEEP_ENDED_DAYS * day,
	keepFailed: config.KEEP_FAILED_DAYS * day,
	keepUsage: config.KEEP_USAGE_DAYS * day,
	keepAudit: config.KEEP_AUDIT_DAYS * day,
	untouched: config.CHECK_AGE_SECONDS,
});
