import type { Stats, VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { ResealingState } from "../resealing/index.ts";
import { countUnpublished, type PlatformLocation } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";

/** What an operator watches of the whole installation, whichever of its processes is asked. */
export type EngineMetrics = {
	readonly videos: Readonly<Record<VideoState, number>>;
	readonly jobs: { readonly waiting: number; readonly running: number; readonly oldestWaitingSeconds: number };
	/** Deliveries that wait for an attempt, and those that are out of attempts. */
	readonly webhooks: { readonly waiting: number; readonly deadLetters: number };
	/** Uploads whose bytes are coming in at this moment. */
	readonly uploadsRunning: number;
	readonly storageBytes: number;
	/** Public videos that aren't copied yet to where their bucket's public address leads. */
	readonly publicationsWaiting: number;
};
/** What one process counted since it started. */
export type ProcessCounts = {
	/** Deliveries out of memory, those that had to be read, and the bytes that are kept. */
	readonly memory: { readonly hits: number; readonly misses: number; readonly bytes: number };
	/** Deliveries of a file that its video has by its record, and that wasn't in the storage. */
	readonly lostFiles: number;
	/** Uses of a bucket that failed. */
	readonly storageFailures: number;
	/** What is known of a change of the master key. */
	readonly masterKeys: ResealingState;
	/**
	 * How far this machine's clock is ahead of the database's; negative where it is behind, 0 for an engine that was
	 * given a clock.
	 */
	readonly clockAheadMilliseconds: number;
};

export type Metrics = {
	/**
	 * Counted by the database, at most every 10 s in one process, however many ask. Rejects when the database can't be
	 * reached.
	 */
	installation(): Promise<EngineMetrics>;
	/** Of this process alone, since it started. */
	thisProcess(): ProcessCounts;
};

const cachedMilliseconds = 10_000;

export function createMetrics(
	{ database, clock }: Parts,
	{
		locations,
		stats,
		thisProcess,
	}: {
		locations: readonly PlatformLocation[];
		stats: () => Promise<Stats>;
		thisProcess: () => ProcessCounts;
	},
): Metrics {
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
	return { installation: () => cache.get("installation", count), thisProcess };
}
