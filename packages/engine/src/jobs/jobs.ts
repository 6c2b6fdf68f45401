import sql, { type Sql } from "sql-template-tag";
import { type Chores, type Pulse, whenDue } from "../background/index.ts";
import type { Stores } from "../storage/index.ts";
import type { Parts } from "../system/index.ts";
import type { AfterChange, FileUrl, VideoStore } from "../videos/index.ts";
import type { Windows } from "../windows.ts";
import { createJobTimeouts } from "./attempts/job-timeouts.ts";
import { createChunkClaims } from "./chunks/chunk-claims.ts";
import { createChunkJobs } from "./chunks/chunk-jobs.ts";
import { createChunkOffers } from "./chunks/chunk-offers.ts";
import { withChunks } from "./chunks/with-chunks.ts";
import { type Admission, createAdmission } from "./claims/admission.ts";
import { createClaims } from "./claims/claims.ts";
import type { SpeedSetting } from "./claims/speed.ts";
import type { Jobs } from "./job-operations.ts";
import { createLateClaims } from "./late/late-claims.ts";
import { createLateJobs } from "./late/late-jobs.ts";
import { createPosterWork, posterJob } from "./late/poster-work.ts";
import { createTranscriptWork, transcriptJob } from "./late/transcript-work.ts";
import { byOwnId, byVideo, withLateJobs } from "./late/with-late-jobs.ts";
import type { StoreArchive } from "./outputs/store-archive.ts";
import { createVideoJobs } from "./video-jobs.ts";
import { latePosters, lateTranscripts } from "./workers/late-kinds.ts";
import { createNoteWorker } from "./workers/note-worker.ts";
import { createWaitingWorkers } from "./workers/waiting-workers.ts";

/** The jobs, with what the engine's other nouns and its background need of them. */
export type JobsNoun = Jobs & {
	readonly admit: Admission["admit"];
	/** Wakes the claims that wait on this server: a job, a transcript or a poster waits for a worker. */
	wake(): void;
	/** Ends locks, waits and processing that took too long, and fills the queue. */
	readonly timeouts: Chores;
	readonly chores: Chores;
};

export type JobsOptions = {
	readonly pulse: Pulse;
	readonly store: VideoStore;
	readonly stores: Stores;
	readonly windows: Pick<Windows, "lock" | "processing" | "queue">;
	readonly speed: SpeedSetting;
	/** Whether what can be played of a video is served before it is available. */
	readonly playableFirst: boolean;
	readonly storeArchive: StoreArchive;
	readonly fileUrl: FileUrl;
	readonly webhookAttempts: number;
	readonly afterChange: AfterChange;
	/** The same for changes that a sweep makes. */
	readonly afterSweep: AfterChange;
	/** Called with a video whose transcript came to its end. */
	readonly onTranscriptEnded: (videoId: string) => void;
};

/** SQL: whether the table has a row. */
const isAny = (table: Sql): Sql => sql`exists (select from ${table})`;

export function createJobs(parts: Parts, options: JobsOptions): JobsNoun {
	const { store, stores, windows, storeArchive, speed, playableFirst, onTranscriptEnded } = options;
	const lockSeconds = windows.lock;
	const claims = createClaims(parts, {
		pulse: options.pulse,
		chunks: createChunkClaims(parts, { lockSeconds }),
		posters: createLateClaims(parts, { late: latePosters, lockSeconds, makeJob: posterJob }),
		transcriptions: createLateClaims(parts, { late: lateTranscripts, lockSeconds, makeJob: transcriptJob }),
		waitingWorkers: createWaitingWorkers(parts, options),
		lockSeconds,
		speed,
		playableFirst,
	});
	const admission = createAdmission(parts, { onQueued: claims.wake });
	const chunks = createChunkJobs(parts, { stores, lockSeconds, storeArchive });
	const chunkOffers = createChunkOffers(parts);
	const shared = { stores, store, lockSeconds, storeArchive, afterChange: options.afterChange };
	const posters = createLateJobs(parts, { ...shared, late: latePosters, work: createPosterWork(parts) });
	const transcriptions = createLateJobs(parts, {
		...shared,
		late: lateTranscripts,
		work: createTranscriptWork(parts, { stores, storeArchive }),
		onEnded: onTranscriptEnded,
	});
	const videos = createVideoJobs(parts, {
		...options,
		claims,
		noteWorker: createNoteWorker(parts),
		lockSeconds,
		storeArchive,
	});
	const all = withChunks(parts, videos, { store, stores, chunks, chunkOffers, onOffered: claims.wake });
	const withTranscripts = withLateJobs(parts, all, transcriptions, byVideo);
	return {
		...withLateJobs(parts, withTranscripts, posters, byOwnId),
		admit: admission.admit,
		wake: claims.wake,
		timeouts: {
			...createJobTimeouts(parts, { store, windows, afterChange: options.afterSweep }),
			admit: whenDue(admission.isAnyWaiting, admission.admitAll),
		},
		chores: {
			endSpentTranscriptions: whenDue(() => isAny(sql`reelmill.transcriptions`), transcriptions.endSpent),
			endSpentPosters: whenDue(() => isAny(sql`reelmill.posters`), posters.endSpent),
			removeOrphanedChunks: whenDue(() => isAny(sql`reelmill.chunks`), chunkOffers.removeOrphans),
		},
	};
}
