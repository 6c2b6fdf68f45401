import type { Job, VideoState } from "@reelmill/contracts";
import sql from "sql-template-tag";
import { createBriefCache } from "../caches/index.ts";
import type { Counts } from "../counts/index.ts";
import type { ResealingState } from "../secrets/index.ts";
import { hasPublicAddress, type PlatformLocation } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import { uploadsRunning } from "../uploads/index.ts";

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
	/** How many workers are there, by what they do. One with jobs of several kinds counts for each. */
	readonly workers: Readonly<Record<WorkerDoing, number>>;
};
/** What a worker does: the kind of its job. One that is ill claims none. */
export type WorkerDoing = Job["kind"] | "idle" | "ill";
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
/** A worker asks anew after 30 s, and that is noted once a minute. */
const presentMilliseconds = 120_000;

/** What the counts of this process come from. */
export type MetricsOptions = {
	readonly locations: readonly PlatformLocation[];
	readonly counts: Counts;
	readonly serving: { counts(): ProcessCounts["memory"]; lost(): number };
	readonly storage: { failures(): number };
	readonly resealing: { state(): ResealingState };
	readonly time: { aheadMilliseconds(): number };
};

export function createMetrics({ database, clock }: Parts, options: MetricsOptions): Metrics {
	const { locations, counts, serving, storage, resealing, time } = options;
	const cache = createBriefCache<EngineMetrics>({ clock, max: 1, milliseconds: cachedMilliseconds });
	const workersByDoing = () =>
		database.query<{ doing: WorkerDoing; count: number }>(sql`
			select coalesce(w.kind, case when s.fault is null then 'idle' else 'ill' end) as doing, count(distinct coalesce(s.name, w.worker)) as count
			from (select name, fault from reelmill.workers_seen where seen_at > ${new Date(clock.now() - presentMilliseconds)}) s
			full join (
				select worker, kind from reelmill.jobs where lock is not null and worker is not null
				union select worker, 'chunk' from reelmill.chunks where state = 'locked' and worker is not null
				union select worker, 'transcript' from reelmill.transcriptions where lock is not null and worker is not null
				union select worker, 'poster' from reelmill.posters where lock is not null and worker is not null) w on w.worker = s.name
			group by 1`);
	const publicationsWaiting = async (places: ReadonlyMap<string, number>): Promise<number> => {
		if (places.size === 0) return 0;
		const open = await database.query<{ id: string }>(
			sql`select p.id from reelmill.storage_profiles p where p.id = any(${[...places.keys()]}::uuid[]) and ${hasPublicAddress(locations)}`,
		);
		return open.reduce((sum, { id }) => sum + (places.get(id) ?? 0), 0);
	};
	const count = async (): Promise<EngineMetrics> => {
		const at = new Date(clock.now());
		const [counted, workers, [now]] = await Promise.all([
			counts.read(),
			workersByDoing(),
			database.query<{ uploads: number; oldest: Date | null; bytes: number }>(sql`
				select ${uploadsRunning} as uploads,
					(select queued_at from reelmill.jobs where lock is null order by queued_at, id limit 1) as oldest,
					(select coalesce(sum(storage_bytes), 0)::bigint from reelmill.domains) as bytes`),
		]);
		const { videos, jobs, deliveries } = counted;
		const waitedMilliseconds = now?.oldest == null ? 0 : Math.max(0, at.getTime() - now.oldest.getTime());
		const doing = (kind: WorkerDoing) => workers.find((row) => row.doing === kind)?.count ?? 0;
		return {
			videos,
			jobs: { ...jobs, oldestWaitingSeconds: waitedMilliseconds / 1000 },
			webhooks: { waiting: deliveries.pending, deadLetters: deliveries.failed },
			uploadsRunning: now?.uploads ?? 0,
			storageBytes: now?.bytes ?? 0,
			publicationsWaiting: await publicationsWaiting(counted.publications),
			workers: {
				video: doing("video"),
				outro: doing("outro"),
				chunk: doing("chunk"),
				transcript: doing("transcript"),
				poster: doing("poster"),
				idle: doing("idle"),
				ill: doing("ill"),
			},
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
