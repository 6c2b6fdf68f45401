import type { Stats, VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { ResealingState } from "../secrets/index.ts";
import { countUnpublished, type PlatformLocation } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";

/** What an operator watches of the whole installation. Every process returns the same. */
export type EngineMetrics = {
	readonly videos: Readonly<Record<VideoState, number>>;
	readonly jobs: { readonly waiting: number; readonly running: number; readonly oldestWaitingSeconds: number };
	/** Deliveries of webhooks that wait for an attempt, and those without attempts left. */
	readonly webhooks: { readonly waiting: number; readonly deadLetters: number };
	/** Uploads that receive bytes at this moment. */
	readonly uploadsRunning: number;
	readonly storageBytes: number;
	/** Public videos that are still to be copied to their bucket's public folder. */
	readonly publicationsWaiting: number;
};
/** What one process counted since it started. */
export type ProcessCounts = {
	/** How often files were served from memory, how often they were read, and how many bytes are kept. */
	readonly memory: { readonly hits: number; readonly misses: number; readonly bytes: number };
	/** How often a storage didn't have a file that its video has by its record. */
	readonly lostFiles: number;
	/** Uses of a bucket that failed. */
	readonly storageFailures: number;
	/** The progress of a change of the master key. */
	readonly masterKeys: ResealingState;
	/** How far this machine's clock is ahead of the database's; negative if it is behind, 0 if a clock was given. */
	readonly clockAheadMilliseconds: number;
};

/** What the engine counts of itself and of the installation. */
export type Metrics = {
	/**
	 * Returns the counts of the whole installation. A process asks the database at most every 10 s. Rejects if the
	 * database can't be reached.
	 */
	installation(): Promise<EngineMetrics>;
	/** Returns the counts of this process since it started. */
	thisProcess(): ProcessCounts;
};

const cachedMilliseconds = 10_000;

/** What the counts of this process come from. */
export type MetricsOptions = {
	readonly locations: readonly PlatformLocation[];
	readonly stats: () => Promise<Stats>;
	readonly serving: { counts(): ProcessCounts["memory"]; lost(): number };
	readonly storage: { failures(): number };
	readonly resealing: { state(): ResealingState };
	readonly time: { aheadMilliseconds(): number };
};

export function createMetrics({ database, clock }: Parts, options: MetricsOptions): Metrics {
	const { locations, stats, serving, storage, resealing, time } = options;
	const cache = createBriefCache<EngineMetrics>({ clock, max: 1, milliseconds: cachedMilliseconds });
	const count = async (): Promise<EngineMetrics> => {
		const [counted, publicationsWaiting, [leases]] = await Promise.all([
			stats(),
			countUnpublished(database, locations),
			database.query<{ running: number }>(
				sql`select count(*) as running from reelmill.upload_leases where expires_at > now()`,
			),
		]);
		const { videos, jobs, webhook_deliveries, storage_bytes } = counted;
		return {
			videos,
			jobs: { waiting: jobs.waiting, running: jobs.running, oldestWaitingSeconds: jobs.oldest_waiting_seconds ?? 0 },
			webhooks: { waiting: webhook_deliveries.pending, deadLetters: webhook_deliveries.failed },
			uploadsRunning: leases?.running ?? 0,
			storageBytes: storage_bytes,
			publicationsWaiting,
		};
	};
	return {
		installation: () => cache.get("installation", count),
		thisProcess: () => ({
			memory: serving.counts(),
			lostFiles: serving.lost(),
			storageFailures: storage.failures(),
			masterKeys: resealing.state(),
			clockAheadMilliseconds: time.aheadMilliseconds(),
		}),
	};
}
