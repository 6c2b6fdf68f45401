import { readdir, readFile } from "node:fs/promises";
import { limits as contractLimits } from "@reelmill/contracts";
import { type Accounts, createAccounts, type ServiceClaims, serviceTokenSeconds } from "./accounts/index.ts";
import { type Admin, createAdmin, createDomainPurge } from "./admin/index.ts";
import {
	createBackoff,
	createExpiry,
	createFollowing,
	createLoop,
	createProveWritable,
	createReaper,
	createSweeper,
	type ProveWritable,
} from "./background/index.ts";
import { type Check, createCheck } from "./check/index.ts";
import { createPages } from "./cursors/index.ts";
import { createDomains, createRotations, type Domains, type Rotations } from "./domains/index.ts";
import { checkSchema, createBelonging, guardStores, noting } from "./installation/index.ts";
import {
	createAdmission,
	createChunkClaims,
	createChunkOffers,
	createClaims,
	createForsake,
	createHeldChunks,
	createHeldTranscriptions,
	createJobs,
	createTranscriptionClaims,
	createWaitingWorkers,
	giveBack,
	type Jobs,
} from "./jobs/index.ts";
import { createKeys, type Keys } from "./keys/index.ts";
import { createLimits, type Limits } from "./limits/index.ts";
import { createMetrics, type Metrics } from "./metrics/index.ts";
import { defaultWindows, type EngineOptions } from "./options.ts";
import { createOutros, type Outros } from "./outros/index.ts";
import { createMintOrder, createPlayback, type Playback, type PlaybackClaims } from "./playback/index.ts";
import type { Bucket, Clock, Logger, Migration, Random } from "./ports/index.ts";
import { createPublications } from "./publications/index.ts";
import { createMemoryRateLimiter, createRateLimits, type RateLimits } from "./rate-limits/index.ts";
import { createMasterKeys, createResealing } from "./resealing/index.ts";
import { createRetention } from "./retention/index.ts";
import { createSandbox, createSandboxPurge, createSandboxRefusals, type Sandbox } from "./sandbox/index.ts";
import { createSealer, createTokenFamily, deriveKeys, type KeyPurpose, type KeyRing } from "./secrets/index.ts";
import { createServing, type Serving } from "./serving/index.ts";
import {
	createHealth,
	createNoteProbes,
	createProfiles,
	createStorage,
	createStores,
	createVerify,
	type Storage,
} from "./storage/index.ts";
import { createCalmLogger, createDatabaseClock, type Parts, systemRandom } from "./system/index.ts";
import { createTranscriptRequests, createTranscripts, type Transcripts } from "./transcripts/index.ts";
import { createUploadLeases, createUploads, type Uploads } from "./uploads/index.ts";
import { createQuotas, createUsage, type Quotas, type UsageView } from "./usage/index.ts";
import {
	type AfterChange,
	createFileUrl,
	createFrames,
	createReserve,
	createVideoStore,
	createVideos,
	type Frames,
	isPublic,
	type UploadClaims,
	type VideoRecord,
	type Videos,
} from "./videos/index.ts";
import { createDispatcher, createWebhookLogPrune, createWebhooks, type Webhooks } from "./webhooks/index.ts";

export type Engine = {
	/** Where users reach the HTTP planes: see {@link EngineOptions.baseUrl}. */
	readonly baseUrl: string;
	/** The version of the program that runs the engine: see {@link EngineOptions.version}. */
	readonly version: string;
	/** The logger that the engine was given; while the database, a disk or a bucket is missing, it says so once a minute. */
	readonly logger: Logger;
	/** The time that the engine goes by: see {@link EngineOptions.clock}. */
	readonly clock: Clock;
	/** Where ids and secrets come from: see {@link EngineOptions.random}. */
	readonly random: Random;
	readonly keys: Pick<Keys, "authenticate">;
	readonly accounts: Accounts;
	readonly admin: Admin;
	readonly domains: Domains & Rotations;
	readonly limits: Limits;
	/** How often requests may come. */
	readonly rateLimits: RateLimits;
	readonly usage: UsageView;
	readonly quotas: Quotas;
	readonly sandbox: Sandbox;
	readonly videos: Videos;
	readonly transcripts: Transcripts;
	readonly frames: Frames;
	readonly outros: Omit<Outros, "removeSuperseded">;
	readonly storage: Storage;
	readonly uploads: Omit<Uploads, "completeIfWhole">;
	readonly jobs: Jobs;
	readonly playback: Pick<Playback, "createKey" | "revoke" | "revokeAll">;
	readonly serving: Pick<Serving, "open">;
	readonly webhooks: Webhooks;
	readonly metrics: Metrics;
	/** Compares rows with storage. */
	readonly check: Check;
	/**
	 * Tries whether the database takes writes: see {@link ProveWritable}. For whoever asks whether this server is ready.
	 */
	readonly proveWritable: ProveWritable;
	/**
	 * Brings the database's schema up to date, then sweeps and sends webhooks until `stop`. Rejects when the database
	 * can't be reached, and with an {@link InstallationError} when its schema is too new, or when master key or storage
	 * are not its own. Called twice, it starts once.
	 */
	start(): Promise<void>;
	/**
	 * Resolves when background work is over and the buckets in use are closed. The adapters stay open: whoever opened
	 * them closes them.
	 */
	stop(): Promise<void>;
	/**
	 * Does at once, and once, what the background does now and then: sweeps, and sends webhooks that are due. For tests
	 * and for embedders with a scheduler of their own.
	 */
	sweep(): Promise<void>;
};

const defaultServingCacheBytes = 128 * 1024 * 1024;
/** Between two looks at the database's clock: steady time runs apart from it by less than a millisecond a second. */
const clockMilliseconds = 1000;
/** How soon a server hears of what another server queued for sending. */
const webhookPollMilliseconds = 1000;
/** Between two looks for what is sealed under a previous master key. */
const resealMilliseconds = 60_000;
/** Between two looks whether the local storage still is the installation's. */
const belongingMilliseconds = 60_000;
/** What nobody has touched for five minutes is a leftover: so it is gone within ten. */
const leftoverMilliseconds = 240_000;
/** How soon this server goes on where another one that withdrew a video was killed. */
const withdrawalPollMilliseconds = 2000;

/** Assembles an engine over its ports. It opens nothing and starts no timer until `start()`. */
export function createEngine(options: EngineOptions): Engine {
	const { database, webhookTransport, baseUrl, random = systemRandom, version = "0.0.0" } = options;
	const databaseClock = createDatabaseClock({ database, logger: options.logger });
	const { clock = databaseClock } = options;
	const logger = createCalmLogger(options.logger, clock);
	const parts: Parts = { database, clock, random, logger };
	const goesByDatabase = clock === databaseClock;
	const measure = async () => void (goesByDatabase && (await databaseClock.measure()));
	/** While the database is silent the clock goes on; others say that it is. */
	const measured = () =>
		measure().then(
			() => false,
			() => false,
		);
	const clockLoop = createLoop({
		name: "clock",
		work: measured,
		intervalMilliseconds: clockMilliseconds,
		clock,
		logger,
	});
	const windows = { ...defaultWindows, ...options.windows };
	const ceilings = {
		maxFileBytes: options.maxFileBytes ?? contractLimits.maxFileBytes,
		maxDurationSeconds: options.maxDurationSeconds ?? contractLimits.maxDurationSeconds,
	};
	const isOther = (key: Uint8Array) => Buffer.compare(key, options.masterKey) !== 0;
	const ring: KeyRing = [options.masterKey, ...(options.previousMasterKeys ?? []).filter(isOther)];
	const key = (purpose: KeyPurpose) => deriveKeys(ring, purpose);
	const uploadTokens = createTokenFamily<UploadClaims>("service-upload", key("upload-token"), clock);
	const serviceTokens = createTokenFamily<ServiceClaims>("service-internal", key("service-token"), clock);
	const playbackTokens = createTokenFamily<PlaybackClaims>("service-playback", key("playback-key"), clock);
	const sealer = createSealer(key("seal"), random);
	const masterKeys = createMasterKeys(parts, { keys: ring, lost: options.lostMasterKey });
	const longestTokenSeconds = Math.max(
		contractLimits.playbackKeySeconds.max,
		serviceTokenSeconds,
		windows.pendingUpload,
	);
	const resealing = createResealing(parts, {
		sealer,
		masterKeys,
		hasPrevious: ring.length > 1,
		longestTokenSeconds,
	});
	const resealLoop = createLoop({
		name: "master keys",
		work: resealing.work,
		intervalMilliseconds: resealMilliseconds,
		clock,
		logger,
	});

	const { buckets: opener, storageLocations: locations = [] } = options;
	const buckets = goesByDatabase && opener ? { open: (bucket: Bucket) => opener.open(bucket, clock) } : opener;
	const { storageMark: mark } = options;
	const belonging = mark && createBelonging(parts, { mark });
	const given = { uploads: options.uploads, outputs: options.outputs };
	const local = belonging ? guardStores(given, belonging) : given;
	const belongingLoop = createLoop({
		name: "local storage",
		work: async () => (await belonging?.work()) ?? false,
		intervalMilliseconds: belongingMilliseconds,
		clock,
		logger,
	});
	const profiles = createProfiles(parts);
	const following = createFollowing({ clock });
	const health = createHealth(parts, { forget: profiles.forget, wait: following.wait });
	const stores = createStores(parts, { local, buckets, locations, profiles, health, sealer });
	const verify = createVerify(parts, { local, buckets });
	const noteProbes = createNoteProbes(parts);
	const storage = createStorage(parts, {
		profiles,
		health,
		verify,
		noteProbes,
		locations,
		sealer,
		hasBuckets: buckets !== undefined,
	});

	const fileUrl = createFileUrl({ baseUrl, locations });
	const store = createVideoStore(parts, { fileUrl, webhookAttempts: windows.webhookSchedule.length });
	const backoff = createBackoff(clock);
	const reaper = createReaper(parts, { stores, backoff });
	const playableFirst = options.playableFirst ?? false;
	const claims = createClaims(parts, {
		chunks: createChunkClaims(parts, { lockSeconds: windows.lock }),
		transcriptions: createTranscriptionClaims(parts, { lockSeconds: windows.lock }),
		waitingWorkers: createWaitingWorkers(parts),
		lockSeconds: windows.lock,
		speed: options.speed ?? "auto",
		playableFirst,
	});
	const admission = createAdmission(parts, { onQueued: claims.wake });
	const playback = createPlayback(parts, {
		tokens: playbackTokens,
		mintOrder: createMintOrder(key("mint-order")),
	});
	const serving = createServing(parts, {
		stores,
		playback,
		playableFirst,
		cacheBytes: options.servingCacheBytes ?? defaultServingCacheBytes,
	});
	const dispatcher = createDispatcher(parts, {
		sealer,
		transport: webhookTransport,
		schedule: windows.webhookSchedule,
		userAgent: `Reelmill-Webhooks/${version}`,
		onRoom: () => webhookLoop.wake(),
	});
	const webhookLoop = createLoop({
		name: "webhooks",
		work: async () => (await dispatcher.start()) > 0,
		intervalMilliseconds: webhookPollMilliseconds,
		clock,
		logger,
	});

	const pages = createPages(key("cursor"));
	const webhooks = createWebhooks(parts, { pages, onReplayed: webhookLoop.wake });

	const follow = async ({ record, eventTold }: Parameters<AfterChange>[0]) => {
		serving.forget(record.id);
		if (eventTold) webhookLoop.wake();
		if (record.storage_profile_id !== null && isPublic(record)) publicationLoop.wake();
		await admission
			.admit(record.domain_id)
			.catch((error: unknown) => logger.error({ error }, "waiting videos could not be admitted yet"));
	};
	/** What viewers may not see any more is gone from the bucket before anything else. */
	const withdraw = async (record: VideoRecord) => {
		const profileId = record.storage_profile_id;
		if (profileId !== null && record.outputs !== null && !isPublic(record))
			await reaper
				.sweepWithdrawn(profileId)
				.catch((error: unknown) => logger.error({ error }, "what was withdrawn could not be removed yet"));
	};
	/**
	 * The change is made, and all that follows from it is noted or swept: whoever asked for it waits for a storage or a
	 * database that is silent no longer than 3 s.
	 */
	const afterChange: AfterChange = (change) =>
		following.wait(async () => {
			await Promise.all([
				withdraw(change.record),
				follow(change).then(() => reaper.reap(change.discards, change.record.storage_profile_id)),
			]);
		}, 3000);
	/** A sweep over all domains waits for nobody's bucket: what is noted there is deleted in its turn. */
	const afterSweep: AfterChange = async (change) => {
		await follow(change);
		if (change.record.storage_profile_id === null) await reaper.reap(change.discards, null);
		else for (const loop of [bucketLoop, withdrawalLoop]) loop.wake();
	};

	const hasSandbox = options.sandbox ?? true;
	const keys = createKeys(parts, { hasSandbox });
	const domains = createDomains(parts, { keys, sealer, webhookTransport });
	const rotations = createRotations(parts, { keys, sealer, graceSeconds: windows.rotationGrace });
	const limits = createLimits({ domains, ...ceilings });
	const sandbox = createSandbox(parts, {
		isOn: hasSandbox,

		keys,
		domains,
		sessionSeconds: windows.sandbox,
		ceilings,
	});
	const uploadLeases = createUploadLeases(parts);
	const uploads = createUploads(parts, {
		store,
		stores,
		leases: uploadLeases,

		tokens: uploadTokens,
		afterChange,
	});
	const isOtherCredential = async (authorization: string | null) => {
		const genuine = await Promise.allSettled([keys.authenticate(authorization), uploads.authenticate(authorization)]);
		return genuine.some(({ status }) => status === "fulfilled");
	};
	const accounts = createAccounts(parts, {
		pages,
		tokens: serviceTokens,
		graceSeconds: windows.rotationGrace,
		isOtherCredential,
	});
	const reserve = createReserve({
		database,
		clock,
		uploadTokens,
		baseUrl,
		storageWorks: storage.works,
		instanceDailyBytes: options.dailyUploadBytes ?? null,
		onSandboxRefused: createSandboxRefusals(parts),
	});
	const initiates = {
		database,
		store,
		clock,
		random,
		domains,
		reserve,
		pendingUploadSeconds: windows.pendingUpload,
		afterChange,
		...ceilings,
	};
	const videos = createVideos(parts, { ...initiates, pages, fileUrl });
	const outros = createOutros({ ...initiates, afterSweep });
	const chunkOffers = createChunkOffers(parts);
	const forsake = createForsake(parts, { reap: reaper.reap, wait: following.wait });
	const transcriptions = createHeldTranscriptions(parts, {
		stores,
		lockSeconds: windows.lock,
		forsake,
		onChanged: serving.forget,
	});
	const jobs = createJobs(parts, {
		store,
		claims,
		chunks: createHeldChunks(parts, { stores, lockSeconds: windows.lock, forsake }),
		chunkOffers,
		transcriptions,

		stores,
		lockSeconds: windows.lock,
		afterChange,
		giveBack: (record) => giveBack(record, clock, true),
		forsake,
	});
	const expiry = createExpiry(parts, { store, uploads, backoff, afterChange });
	const bucketLoop = createLoop({
		name: "buckets",
		work: async () => (await Promise.all([expiry.sweepBuckets(), reaper.sweepBuckets()])).some((count) => count > 0),
		intervalMilliseconds: windows.sweep * 1000,
		clock,
		logger,
	});
	const publications = createPublications(parts, {
		stores,
		locations,
		reaper,

		onRoom: () => publicationLoop.wake(),
	});
	const publicationLoop = createLoop({
		name: "publications",
		work: async () => (await publications.start()) > 0,
		intervalMilliseconds: windows.sweep * 1000,
		clock,
		logger,
	});
	const withdrawalLoop = createLoop({
		name: "withdrawals",
		work: async () => (await reaper.sweepWithdrawn()) > 0,
		intervalMilliseconds: withdrawalPollMilliseconds,
		clock,
		logger,
	});
	const sweeper = createSweeper(parts, {
		store,

		expiry,
		admission,
		reaper,
		afterChange: afterSweep,
		processingSeconds: windows.processing,
		queueSeconds: windows.queue,
		chores: {
			purgeSandbox: createSandboxPurge(parts, {
				store,

				keepSeconds: windows.sandbox,
				afterChange: afterSweep,
			}),
			purgeDomains: createDomainPurge(parts, { store, afterChange: afterSweep }),
			reapRevocations: playback.reap,
			removeSupersededOutros: outros.removeSuperseded,
			endSpentTranscriptions: transcriptions.endSpent,
			removeOrphanedChunks: chunkOffers.removeOrphans,
			forgetUploadLeases: uploadLeases.forgetEnded,
			pruneWebhookLog: createWebhookLogPrune(parts, { keepSeconds: windows.webhookLog }),
			...createRetention(parts, { windows }),
			closeIdleOutputs: async () => serving.closeIdle(),
		},
	});
	const sweepLoop = createLoop({
		name: "sweeper",
		work: () => sweeper.sweep().then(() => false),
		intervalMilliseconds: windows.sweep * 1000,
		clock,
		logger,
	});

	const check = createCheck(parts, {
		store,
		stores,
		domains,
		fileUrl,
		webhookAttempts: windows.webhookSchedule.length,
		untouchedSeconds: windows.untouched,
		reap: reaper.reap,
		afterChange: afterSweep,
	});
	const removeLeftovers = async () => (await stores.of(null)).outputs.removeLeftovers?.();
	const leftoverLoop = createLoop({
		name: "leftovers",
		work: () => removeLeftovers().then(() => false),
		intervalMilliseconds: leftoverMilliseconds,
		clock,
		logger,
	});

	const loops = [
		clockLoop,
		belongingLoop,
		resealLoop,
		sweepLoop,
		bucketLoop,
		webhookLoop,
		publicationLoop,
		withdrawalLoop,
		leftoverLoop,
	];

	const onDomainDeleted = () => {
		keys.forgetAll();
		serving.forgetAll();
		for (const loop of [sweepLoop, withdrawalLoop]) loop.wake();
	};
	const admin = createAdmin(parts, { pages, domains, onDomainDeleted });
	const thisProcess = () => ({
		memory: serving.counts(),
		lostFiles: serving.lost(),
		storageFailures: health.failures(),
		masterKeys: resealing.state(),
		clockAheadMilliseconds: goesByDatabase ? databaseClock.machineAhead() : 0,
	});
	const rateLimits = createRateLimits(parts, {
		limiter: options.rateLimiter ?? createMemoryRateLimiter({ clock }),
	});

	return {
		baseUrl,
		version,
		logger,
		clock,
		random,
		keys,
		accounts,
		admin,
		domains: { ...domains, ...rotations },
		limits,
		rateLimits,
		usage: createUsage(parts),
		quotas: createQuotas(parts, { instanceDailyBytes: options.dailyUploadBytes ?? null }),
		sandbox,
		videos,
		transcripts: createTranscripts(parts, {
			store,
			stores,
			fileUrl,

			domains,
			requests: createTranscriptRequests(parts, { onRequested: claims.wake }),
		}),
		frames: createFrames(parts, { store, stores }),
		outros,
		storage,
		uploads,
		jobs,
		playback,
		serving,
		webhooks,
		metrics: createMetrics(parts, { locations, stats: admin.stats, thisProcess }),
		check,
		proveWritable: createProveWritable(parts),
		async start() {
			// The first answer took as long as connecting did: the second says more.
			for (let times = 0; times < 2; times++) await measure();
			const migrations = (await readMigrations()).map((migration) => noting(migration, version));
			await checkSchema(database, migrations);
			await masterKeys.check();
			await belonging?.check();
			await database.migrate(migrations);
			await masterKeys.takeTurn();
			await sandbox.prepare();
			for (const loop of loops) loop.start();
		},
		async stop() {
			publications.stop();
			await Promise.all(loops.map((loop) => loop.stop()));
			await Promise.all([dispatcher.idle(), following.idle(), publications.idle()]);
			serving.forgetAll();
			await stores.close();
		},
		async sweep() {
			await measured();
			await sweeper.sweep();
			while (await resealing.work());
			await Promise.all([expiry.sweepBuckets(), reaper.sweepBuckets(), reaper.sweepWithdrawn()]);
			await removeLeftovers().catch((error: unknown) =>
				logger.error({ error }, "what killed processes left could not be removed yet"),
			);
			while ((await publications.start()) > 0) await publications.idle();
			while ((await dispatcher.start()) > 0) await dispatcher.idle();
		},
	};
}

/** The schema's migrations, which travel with this package as plain SQL files. */
export async function readMigrations(): Promise<Migration[]> {
	const directory = new URL("../migrations/", import.meta.url);
	const names = (await readdir(directory)).filter((name) => name.endsWith(".sql")).sort();
	return Promise.all(
		names.map(async (name) => ({
			name: name.replace(/\.sql$/, ""),
			text: await readFile(new URL(name, directory), "utf8"),
		})),
	);
}
