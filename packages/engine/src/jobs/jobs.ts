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
import type { StoreArchive } from "./outputs/store-archive.ts";
import { createTranscriptionClaims } from "./transcriptions/transcription-claims.ts";
import { createTranscriptionJobs } from "./transcriptions/transcription-jobs.ts";
import { withTranscriptions } from "./transcriptions/with-transcriptions.ts";
import { createVideoJobs } from "./video-jobs.ts";
import { createNoteWorker } from "./workers/note-worker.ts";
import { createWaitingWorkers } from "./workers/waiting-workers.ts";

/** The jobs, with what the engine's other nouns and its background need of them. */
export type JobsNoun = Jobs & {
	readonly admit: Admission["admit"];
	/** Wakes the claims that wait on this server: a job or a transcript waits for a worker. */
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
		transcriptions: createTranscriptionClaims(parts, { lockSeconds }),
		waitingWorkers: createWaitingWorkers(parts, options),
		lockSeconds,
		speed,
		playableFirst,
	});
	const admission = createAdmission(parts, { onQueued: claims.wake });
	const chunks = createChunkJobs(parts, { stores, lockSeconds, storeArchive });
	const chunkOffers = createChunkOffers(parts);
	const transcriptions = createTranscriptionJobs(parts, {
		stores,
		lockSeconds,
		storeArchive,
		onEnded: onTranscriptEnded,
		...{ store, fileUrl: options.fileUrl, webhookAttempts: options.webhookAttempts, afterChange: options.afterChange },
	});
	const videos = createVideoJobs(parts, {
		...options,
		claims,
		noteWorker: createNoteWorker(parts),
		lockSeconds,
		storeArchive,
	});
	const all = withChunks(parts, videos, { store, stores, chunks, chunkOffers, onOffered: claims.wake });
	return {
		...withTranscriptions(parts, all, { transcriptions }),
		admit: admission.admit,
		wake: claims.wake,
		timeouts: {
			...createJobTimeouts(parts, { store, windows, afterChange: options.afterSweep }),
			admit: whenDue(admission.isAnyWaiting, admission.admitAll),
		},
		chores: {
			endSpentTranscriptions: whenDue(() => isAny(sql`reelmill.transcriptions`), transcriptions.endSpent),
			removeOrphanedChunks: whenDue(() => isAny(sql`reelmill.chunks`), chunkOffers.removeOrphans),
		},
	};
}
