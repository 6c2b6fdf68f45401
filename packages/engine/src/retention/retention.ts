import sql from "sql-template-tag";
import { keptSince } from "../idempotency/index.ts";
import type { Parts } from "../system/index.ts";
import type { Windows } from "../windows.ts";
import { deleteInBatches } from "./batches.ts";
import { createForgetDomains } from "./domains.ts";
import { createForgetProfiles } from "./profiles.ts";
import { createForgetVideos, deletedVideos, endedVideos, sessionVideos } from "./videos.ts";

/** How long rows are kept that nobody is shown any more, or that only tell of the past; in seconds. */
export type RetentionWindows = Pick<
	Windows,
	"keepDeleted" | "keepEnded" | "keepImports" | "keepUsage" | "keepAudit" | "sandbox" | "pendingUpload"
>;

/** How long a listener of webhooks and its events are kept after its end: a statement that saw it live is over. */
const keepListenersMilliseconds = 600_000;
/** How long a worker is listed after it was seen last. */
const keepWorkersMilliseconds = 7 * 86_400_000;

/**
 * Assembles, for the sweeper, what ends the rows that no other chore ends. `docs/guides/operations.md` names it for
 * each table. Every statement is short, and several servers may run them.
 */
export function createRetention(parts: Parts, { windows }: { windows: RetentionWindows }) {
	const { database, clock } = parts;
	const { keepDeleted, keepEnded, keepImports, keepUsage, keepAudit } = windows;
	return {
		forgetDeletedVideos: createForgetVideos(parts, deletedVideos(keepDeleted)),
		forgetSessionVideos: createForgetVideos(parts, sessionVideos(keepDeleted, windows)),
		forgetEndedVideos: createForgetVideos(parts, endedVideos(keepEnded)),
		forgetUsageDays: () =>
			deleteInBatches(
				database,
				sql`reelmill.usage_days`,
				sql`day < (${new Date(clock.now() - keepUsage * 1000)}::timestamptz at time zone 'UTC')::date`,
			),
		forgetIdempotencyKeys: () =>
			deleteInBatches(database, sql`reelmill.idempotency_keys`, sql`created_at <= ${keptSince(clock)}`),
		forgetImports: () =>
			deleteInBatches(database, sql`reelmill.imports`, sql`ended_at <= ${new Date(clock.now() - keepImports * 1000)}`),
		forgetAudit: () =>
			deleteInBatches(database, sql`reelmill.audit`, sql`created_at <= ${new Date(clock.now() - keepAudit * 1000)}`),
		forgetFailures: () =>
			deleteInBatches(database, sql`reelmill.failures`, sql`created_at < ${new Date(clock.now() - keepUsage * 1000)}`),
		forgetWorkers: () =>
			deleteInBatches(
				database,
				sql`reelmill.workers_seen`,
				sql`seen_at < ${new Date(clock.now() - keepWorkersMilliseconds)}`,
			),
		forgetListeners: () =>
			deleteInBatches(
				database,
				sql`reelmill.webhook_listeners`,
				sql`expires_at < ${new Date(clock.now() - keepListenersMilliseconds)}`,
			),
		forgetProfiles: createForgetProfiles(parts, { afterSeconds: keepDeleted }),
		forgetDomains: createForgetDomains(parts),
	};
}
