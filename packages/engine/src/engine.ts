import { limits as contractLimits } from "@reelmill/contracts";
import { type Accounts, createAccounts, type ServiceClaims, serviceTokenSeconds } from "./accounts/index.ts";
import { type Admin, createAdmin } from "./admin/index.ts";
import {
	createAfterChanges,
	createBackground,
	createBackoff,
	createBoundedWait,
	createEngineClock,
	createLoop,
	createMeasuring,
	createProveWritable,
	createReaper,
	type ProveWritable,
} from "./background/index.ts";
import { type Check, createCheck } from "./check/index.ts";
import { createPages } from "./cursors/index.ts";
import { createDomains, type Domains } from "./domains/index.ts";
import { checkSchema, createBelonging, guardStores, noting } from "./installation/index.ts";
import { createJobs, type Jobs } from "./jobs/index.ts";
import { createKeys, type Keys } from "./keys/index.ts";
import { createLimits, type Limits } from "./limits/index.ts";
import { createMetrics, type Metrics } from "./metrics/index.ts";
import { readMigrations } from "./migrations.ts";
import type { EngineOptions } from "./options.ts";
import { createOutros, type Outros } from "./outros/index.ts";
import { createPlayback, type Playback, type PlaybackClaims } from "./playback/index.ts";
import type { Bucket, Clock, Logger, Random } from "./ports/index.ts";
import { createPublications } from "./publications/index.ts";
import { createRateLimits, type RateLimits } from "./rate-limits/index.ts";
import { createMasterKeys, createResealing } from "./resealing/index.ts";
import { createRetention } from "./retention/index.ts";
import { createSandbox, type Sandbox } from "./sandbox/index.ts";
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
import { createCalmLogger, type Parts, systemRandom } from "./system/index.ts";
import { createTranscripts, type Transcripts } from "./transcripts/index.ts";
import { createUploadLeases, createUploads, type Uploads } from "./uploads/index.ts";
import { createQuotas, createUsage, type Quotas, type UsageView } from "./usage/index.ts";
import {
	createFileUrl,
	createFrames,
	createReserve,
	createVideoStore,
	createVideos,
	type Frames,
	type UploadClaims,
	type Videos,
} from "./videos/index.ts";
import { createWebhooks, type Webhooks } from "./webhooks/index.ts";
import { defaultWindows } from "./windows.ts";

/** A whole video service behind ports. See {@link createEngine}. */
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
	readonly domains: Domains;
	readonly limits: Limits;
	/** Limits how often requests may come. */
	readonly rateLimits: RateLimits;
	readonly usage: UsageView;
	readonly quotas: Quotas;
	readonly sandbox: Sandbox;
	readonly videos: Videos;
	readonly transcripts: Transcripts;
	readonly frames: Frames;
	readonly outros: Outros;
	readonly storage: Storage;
	readonly uploads: Omit<Uploads, "completeIfWhole">;
	readonly jobs: Jobs;
	readonly playback: Playback;
	readonly serving: Serving;
	readonly webhooks: Webhooks;
	readonly metrics: Metrics;
	/** Compares the database with the storage. */
	readonly check: Check;
	/** Checks that the database takes writes, for a readiness probe: see {@link ProveWritable}. */
	readonly proveWritable: ProveWritable;
	/**
	 * Brings the database's schema up to date, then works in the background until `stop`. Calling it twice starts it
	 * once.
	 *
	 * @throws {InstallationError} When the database's schema is too new, or when the master key or the storage isn't the
	 * one that the database belongs to.
	 * @throws When the database can't be reached.
	 */
	start(): Promise<void>;
	/**
	 * Ends the background work and closes the buckets in use. Resolves when both are done. The adapters stay open:
	 * whoever opened them closes them.
	 */
	stop(): Promise<void>;
	/**
	 * Does the background's work once, now: sweeps, and sends the webhooks that are due. For tests, and for embedders
	 * with a scheduler of their own.
	 */
	sweep(): Promise<void>;
};

/** How often this server looks for secrets that are sealed under a previous master key. */
const resealMilliseconds = 60_000;
/** How often this server checks that the local storage still is the installation's. */
const belongingMilliseconds = 60_000;

/** Assembles an engine over its ports. It opens nothing and starts no timer until `start()`. */
export function createEngine(options: EngineOptions): Engine {
	const { database, baseUrl, webhookTransport, random = systemRandom, version = "0.0.0" } = options;
	const {
		storageLocations: locations = [],
		playableFirst = false,
		dailyUploadBytes: instanceDailyBytes = null,
	} = options;
	const time = createEngineClock({ database, logger: options.logger, given: options.clock });
	const { clock } = time;
	const logger = createCalmLogger(options.logger, clock);
	const parts: Parts = { database, clock, random, logger };
	const windows = { ...defaultWindows, ...options.windows };
	const webhookAttempts = windows.webhookSchedule.length;
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
	const resealLoop = createLoop(parts, {
		name: "master keys",
		work: resealing.work,
		intervalMilliseconds: resealMilliseconds,
	});

	const { buckets: opener } = options;
	const buckets = time.isDatabaseClock && opener ? { open: (bucket: Bucket) => opener.open(bucket, clock) } : opener;
	const { storageMark: mark } = options;
	const belonging = mark && createBelonging(parts, { mark });
	const given = { uploads: options.uploads, outputs: options.outputs };
	const local = belonging ? guardStores(given, belonging) : given;
	const belongingLoop = createLoop(parts, {
		name: "local storage",
		work: async () => (await belonging?.work()) ?? false,
		intervalMilliseconds: belongingMilliseconds,
	});
	const profiles = createProfiles(parts);
	const boundedWait = createBoundedWait({ clock });
	const health = createHealth(parts, { forget: profiles.forget, wait: boundedWait.wait });
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
	const store = createVideoStore(parts, { fileUrl, webhookAttempts });
	const backoff = createBackoff(clock);
	const reaper = createReaper(parts, { stores, backoff });
	const pages = createPages(key("cursor"));
	const playback = createPlayback(parts, { tokens: playbackTokens, mintOrderKeys: key("mint-order") });
	const serving = createServing(parts, { stores, playback, playableFirst, cacheBytes: options.servingCacheBytes });
	const webhooks = createWebhooks(parts, { pages, sealer, transport: webhookTransport, windows, version });
	const publications = createPublications(parts, {
		stores,
		locations,
		reaper,
		onRoom: () => publicationLoop.wake(),
	});
	const publicationLoop = createLoop(parts, {
		name: "publications",
		work: async () => (await publications.start()) > 0,
		intervalMilliseconds: windows.sweep * 1000,
	});
	const { afterChange, afterSweep } = createAfterChanges(parts, {
		reaper,
		boundedWait,
		onChanged: serving.forget,
		onEvent: webhooks.loop.wake,
		onPublic: publicationLoop.wake,
		onNoted: () => background.wakeBuckets(),
		admit: (domainId) => jobs.admit(domainId),
	});

	const { sandbox: isOn = true } = options;
	const keys = createKeys(parts, { hasSandbox: isOn });
	const domains = createDomains(parts, { keys, sealer, webhookTransport, windows });
	const sandbox = createSandbox(parts, { isOn, keys, domains, store, windows, ceilings, afterChange: afterSweep });
	const uploadLeases = createUploadLeases(parts);
	const uploads = createUploads(parts, {
		store,
		stores,
		leases: uploadLeases,
		tokens: uploadTokens,
		afterChange,
	});
	const accounts = createAccounts(parts, { pages, tokens: serviceTokens, windows, others: [keys, uploads] });
	const reserve = createReserve({
		database,
		clock,
		uploadTokens,
		baseUrl,
		storageWorks: storage.works,
		instanceDailyBytes,
		onSandboxRefused: sandbox.onRefused,
	});
	const videos = createVideos(parts, {
		store,
		domains,
		reserve,
		pendingUploadSeconds: windows.pendingUpload,
		afterChange,
		...ceilings,
		pages,
		fileUrl,
	});
	const outros = createOutros(parts, { store, domains, reserve, ceilings, windows, afterChange, afterSweep });
	const jobs = createJobs(parts, {
		store,
		stores,
		windows,
		speed: options.speed ?? "auto",
		playableFirst,
		reap: reaper.reap,
		wait: boundedWait.wait,
		afterChange,
		afterSweep,
		onTranscriptEnded: serving.forget,
	});
	const rateLimits = createRateLimits(parts, { limiter: options.rateLimiter });
	const admin = createAdmin(parts, {
		pages,
		domains,
		store,
		afterChange: afterSweep,
		onDomainDeleted() {
			keys.forgetAll();
			serving.forgetAll();
			background.wake();
		},
	});
	const background = createBackground(parts, {
		store,
		stores,
		uploads,
		reaper,
		backoff,
		windows,
		afterChange,
		chores: {
			...jobs.timeouts,
			...sandbox.chores,
			...admin.chores,
			...playback.chores,
			...outros.chores,
			...jobs.chores,
			forgetUploadLeases: uploadLeases.forgetEnded,
			...webhooks.chores,
			...createRetention(parts, { windows }),
			...serving.chores,
			...rateLimits.chores,
		},
		loops: [createMeasuring(parts, time), belongingLoop, resealLoop, webhooks.loop, publicationLoop],
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
		domains,
		limits: createLimits({ domains, ...ceilings }),
		rateLimits,
		usage: createUsage(parts),
		quotas: createQuotas(parts, { instanceDailyBytes }),
		sandbox,
		videos,
		transcripts: createTranscripts(parts, { store, stores, fileUrl, domains, onRequested: jobs.wake }),
		frames: createFrames(parts, { store, stores }),
		outros,
		storage,
		uploads,
		jobs,
		playback,
		serving,
		webhooks,
		metrics: createMetrics(parts, {
			locations,
			stats: admin.stats,
			thisProcess: {
				memory: serving.counts,
				lostFiles: serving.lost,
				storageFailures: health.failures,
				masterKeys: resealing.state,
				clockAheadMilliseconds: time.aheadMilliseconds,
			},
		}),
		check: createCheck(parts, {
			store,
			stores,
			domains,
			fileUrl,
			webhookAttempts,
			untouchedSeconds: windows.untouched,
			reap: reaper.reap,
			afterChange: afterSweep,
		}),
		proveWritable: createProveWritable(parts),
		async start() {
			// The first answer includes the time for connecting. The second one is more exact.
			for (let times = 0; times < 2; times++) await time.measure();
			const migrations = (await readMigrations()).map((migration) => noting(migration, version));
			await checkSchema(database, migrations);
			await masterKeys.check();
			await belonging?.check();
			await database.migrate(migrations);
			await masterKeys.takeTurn();
			await sandbox.prepare();
			background.start();
		},
		async stop() {
			publications.stop();
			await background.stop();
			await Promise.all([webhooks.idle(), boundedWait.idle(), publications.idle()]);
			serving.forgetAll();
			await stores.close();
		},
		async sweep() {
			await time.tryToMeasure();
			await background.sweep();
			while (await resealing.work());
			while ((await publications.start()) > 0) await publications.idle();
			await webhooks.sendDue();
		},
	};
}
