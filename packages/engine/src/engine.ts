import { limits } from "@reelmill/contracts";
import { type Accounts, createAccounts, type ServiceClaims, serviceTokenSeconds } from "./accounts/index.ts";
import { type Admin, createAdmin } from "./admin/index.ts";
import { type Audit, createAudit } from "./audit/index.ts";
import {
	createAfterChanges,
	createBackground,
	createBackoff,
	createBoundedWait,
	createEngineClock,
	createProveWritable,
	createPulse,
	createReaper,
	type ProveWritable,
} from "./background/index.ts";
import { type CaptionsNoun, createCaptions } from "./captions/index.ts";
import { type ChaptersNoun, createChapters } from "./chapters/index.ts";
import { type Check, createCheck } from "./check/index.ts";
import { type Clips, createClips } from "./clips/index.ts";
import { type Console, createConsole, type SessionClaims } from "./console/index.ts";
import { createCounts } from "./counts/index.ts";
import { createPages } from "./cursors/index.ts";
import { createDomains, type Domains } from "./domains/index.ts";
import { createEdits } from "./edits/index.ts";
import { createErasures, type Erasures } from "./erasures/index.ts";
import { createImports, type Imports } from "./imports/index.ts";
import { createInstallation } from "./installation/index.ts";
import { createJobs, createStoreArchive, type Jobs } from "./jobs/index.ts";
import { createKeys, type Keys } from "./keys/index.ts";
import { createLifecycle, type Lifecycle } from "./lifecycle.ts";
import { createLimits, type Limits } from "./limits/index.ts";
import { createMetadata, type Metadata } from "./metadata/index.ts";
import { createMetrics, type Metrics } from "./metrics/index.ts";
import type { EngineOptions } from "./options.ts";
import { createOutros, type Outros } from "./outros/index.ts";
import { createPlayback, type Playback, type PlaybackClaims } from "./playback/index.ts";
import type { Clock, Logger, Random, Tracer } from "./ports/index.ts";
import { createPosters, type Posters } from "./posters/index.ts";
import { createPublications } from "./publications/index.ts";
import { createRateLimits, type RateLimits } from "./rate-limits/index.ts";
import { createRetention } from "./retention/index.ts";
import { createSandbox, type Sandbox } from "./sandbox/index.ts";
import { createSecrets } from "./secrets/index.ts";
import { createServing, type Serving } from "./serving/index.ts";
import { checkDefaultLocation, createStorage, type Storage } from "./storage/index.ts";
import { createThrottledLogger, type Parts, systemRandom, traced, tracedDatabase } from "./system/index.ts";
import { createTranscripts, type Transcripts } from "./transcripts/index.ts";
import { createUploads, type Uploads } from "./uploads/index.ts";
import { createQuotas, createUsage, type Quotas, type UsageView } from "./usage/index.ts";
import { createDigestUploader, createVideos, type Frames, type UploadClaims, type Videos } from "./videos/index.ts";
import { createWebhooks, type Listeners, type Webhooks } from "./webhooks/index.ts";
import { defaultWindows } from "./windows.ts";

/** A whole video service behind ports. See {@link createEngine}. */
export type Engine = Lifecycle & {
	/** Where users reach the HTTP planes: see {@link EngineOptions.baseUrl}. */
	readonly baseUrl: string;
	/** The version of the program that runs the engine: see {@link EngineOptions.version}. */
	readonly version: string;
	/**
	 * The logger that the engine was given, throttled: while the database, a disk or a bucket is missing, it says so once
	 * a minute.
	 */
	readonly logger: Logger;
	/** The time that the engine goes by: see {@link EngineOptions.clock}. */
	readonly clock: Clock;
	/** Where ids and secrets come from: see {@link EngineOptions.random}. */
	readonly random: Random;
	/** What traces are recorded by; undefined if nothing is: see {@link EngineOptions.tracer}. */
	readonly tracer: Tracer | undefined;
	readonly keys: Pick<Keys, "authenticate" | "peek">;
	readonly accounts: Accounts;
	/** Who may use the web console, and their sessions. */
	readonly console: Console;
	readonly admin: Admin;
	/** Who changed what, and when. */
	readonly audit: Audit;
	readonly domains: Domains;
	readonly limits: Limits;
	/** Limits how often requests may come. */
	readonly rateLimits: RateLimits;
	readonly usage: UsageView;
	readonly quotas: Quotas;
	readonly sandbox: Sandbox;
	readonly videos: Videos;
	/** Persons whose videos and names are to go. */
	readonly erasures: Erasures;
	/** Videos that are fetched from addresses. */
	readonly imports: Imports;
	readonly transcripts: Transcripts;
	/** The captions of finished videos. */
	readonly captions: CaptionsNoun;
	/** The chapters of finished videos. */
	readonly chapters: ChaptersNoun;
	/** Videos that are cut out of finished ones. */
	readonly clips: Clips;
	/** The pictures that stand for finished videos. */
	readonly posters: Posters;
	readonly metadata: Metadata;
	readonly frames: Frames;
	readonly outros: Outros;
	readonly storage: Storage;
	readonly uploads: Omit<Uploads, "completeIfWhole">;
	readonly jobs: Jobs;
	readonly playback: Playback;
	readonly serving: Serving;
	readonly webhooks: Webhooks & Listeners;
	readonly metrics: Metrics;
	/** Compares the database with the storage. */
	readonly check: Check;
	/** Checks that the database takes writes, for a readiness probe: see {@link ProveWritable}. */
	readonly proveWritable: ProveWritable;
};

/**
 * Assembles an engine over its ports. It opens nothing and starts no timer until `start()`.
 *
 * @throws {RangeError} When a master key has fewer than 32 bytes, or `storageDefault` is none of the locations.
 * @example
 * ```ts
 * import { createEngine } from "@reelmill/engine";
 * import { createRecordingLogger } from "@reelmill/engine/testing";
 * import { createPostgresDatabase } from "@reelmill/postgres";
 * import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
 *
 * const database = createPostgresDatabase({ url: "postgres://localhost/reelmill" });
 * const engine = createEngine({
 * 	database,
 * 	uploads: createLocalUploadStore({ directory: "./uploads" }),
 * 	outputs: createLocalObjectStorage({ directory: "./outputs" }),
 * 	webhookTransport: {
 * 		send: async () => ({ status: 200, error: null }),
 * 		refusal: () => null,
 * 		close: async () => undefined,
 * 	},
 * 	logger: createRecordingLogger(),
 * 	masterKey: new Uint8Array(32).fill(1),
 * 	baseUrl: "https://video.example.com",
 * });
 * await engine.start();
 * const { domain } = await engine.domains.create({ slug: "news" });
 * await engine.stop();
 * await database.close();
 * console.log(domain.slug); // => news
 * ```
 */
export function createEngine(options: EngineOptions): Engine {
	const { tracer, baseUrl, webhookTransport, random = systemRandom, version = "0.0.0" } = options;
	const { storageLocations: locations = [], dailyUploadBytes: instanceDailyBytes = null } = options;
	const defaultLocation = checkDefaultLocation(options.storageDefault, locations);
	const { maxFileBytes = limits.maxFileBytes, maxDurationSeconds = limits.maxDurationSeconds } = options;
	const { playableFirst = false, speed = "auto", sandbox: isOn = true } = options;
	const ceilings = { maxFileBytes, maxDurationSeconds };
	const windows = { ...defaultWindows, ...options.windows };
	const webhookAttempts = windows.webhookSchedule.length;
	const database = tracer === undefined ? options.database : tracedDatabase(options.database, tracer);
	const time = createEngineClock({ database, logger: options.logger, given: options.clock });
	const { clock } = time;
	const { observer } = options;
	const logger = createThrottledLogger(options.logger, clock);
	const parts: Parts = { database, clock, random, observer, logger, tracer };

	const pulse = createPulse(parts, { time });

	const longestTokenSeconds = Math.max(limits.playbackKeySeconds.max, serviceTokenSeconds, windows.pendingUpload);
	const { masterKey, previousMasterKeys, lostMasterKey } = options;
	const { playbackKeyAlgorithm = "HS256" } = options;
	const secrets = createSecrets(parts, {
		masterKey,
		previousMasterKeys,
		lostMasterKey,
		playbackKeyAlgorithm,
		longestTokenSeconds,
	});
	const { sealer, masterKeys, resealing, signingKeys } = secrets;
	const uploadTokens = secrets.tokens<UploadClaims>("service-upload", "upload-token");
	const serviceTokens = secrets.tokens<ServiceClaims>("service-internal", "service-token");
	const sessionTokens = secrets.tokens<SessionClaims>("service-console", "console-session");
	const playbackTokens = secrets.tokens<PlaybackClaims>("service-playback", "playback-key", signingKeys);
	const pages = createPages(secrets.keys("cursor"));

	const { uploads: localUploads, outputs, storageMark } = options;
	const given = { uploads: localUploads, outputs };
	const installation = createInstallation(parts, { local: given, storageMark, masterKeys, version });
	const { local } = installation;
	const buckets = time.openerOf(options.buckets);
	const { wait, idle } = createBoundedWait({ clock });
	const storage = createStorage(parts, { local, buckets, locations, sealer, wait });
	const { stores } = storage;
	const backoff = createBackoff(clock);
	const reaper = createReaper(parts, { stores, backoff });
	const { reap } = reaper;

	const playback = createPlayback(parts, {
		tokens: playbackTokens,
		mintOrderKeys: secrets.keys("mint-order"),
		pseudonymKeys: secrets.keys("viewer-pseudonym"),
		signingKeys,
	});
	const serving = createServing(parts, { stores, playback, playableFirst, cacheBytes: options.servingCacheBytes });
	const webhooks = createWebhooks(parts, {
		pulse,
		pages,
		sealer,
		listenerKeys: secrets.keys("webhook-listener"),
		transport: webhookTransport,
		windows,
		version,
		baseUrl,
	});
	const publications = createPublications(parts, { stores, locations, reaper, pulse });
	const { afterChange, afterSweep } = createAfterChanges(parts, {
		reaper,
		wait,
		onChanged: serving.forget,
		onEvent: webhooks.loop.wake,
		onPublic: publications.loop.wake,
		onNoted: () => background.wakeBuckets(),
		admit: (domainId) => jobs.admit(domainId),
	});

	const keys = createKeys(parts, { hasSandbox: isOn });
	const digestUploader = createDigestUploader(secrets.keys("erased-uploader"));
	const domains = createDomains(parts, { keys, sealer, webhookTransport, windows, defaultLocation });
	const videos = createVideos(parts, {
		...ceilings,
		stores,
		locations,
		domains,
		pages,
		baseUrl,
		uploadTokens,
		digestUploader,
		instanceDailyBytes,
		webhookAttempts,
		keepFailedSeconds: windows.keepFailed,
		pendingUploadSeconds: windows.pendingUpload,
		storageWorks: storage.works,
		onSandboxRefused: (fault) => sandbox.onRefused(fault),
		afterChange,
	});
	const { store, reserve, findReserved, fileUrl, frames } = videos;
	const shared = { store, stores, domains, pages, windows, ceilings, reap, wait, afterChange, afterSweep };

	const sandbox = createSandbox(parts, { ...shared, isOn, keys });
	const uploads = createUploads(parts, { ...shared, tokens: uploadTokens });
	const accounts = createAccounts(parts, { ...shared, tokens: serviceTokens, others: [keys, uploads] });
	const outros = createOutros(parts, { ...shared, reserve, findReserved });
	const storeArchive = createStoreArchive(parts, { stores, reap, wait });
	const edits = createEdits(parts, { store, stores, storeFolder: storeArchive, afterChange });
	const captions = createCaptions(parts, { edits, stores, fileUrl });
	const chapters = createChapters({ edits, fileUrl });
	const clips = createClips(parts, { ...shared, ...ceilings, reserve, findReserved, fileUrl });
	const jobs = createJobs(parts, {
		...shared,
		...{ storeArchive, fileUrl, webhookAttempts },
		pulse,
		speed,
		playableFirst,
		onTranscriptEnded: serving.forget,
	});
	const posters = createPosters(parts, {
		...{ edits, store, stores, storeFolder: storeArchive, afterChange, fileUrl },
		onRequested: jobs.wake,
	});
	const imports = createImports(parts, {
		...shared,
		source: options.importSource,
		atOnce: options.importsAtOnce ?? 4,
		uploads,
		createVideo: videos.create,
		sealer,
		pulse,
	});
	const erasures = createErasures(parts, { store, digestUploader, afterChange: afterSweep });
	const metadata = createMetadata(parts, shared);
	const transcripts = createTranscripts(parts, { ...shared, fileUrl, onRequested: jobs.wake });
	const console = createConsole(parts, {
		isOn: options.console ?? true,
		secret: options.consoleSecret,
		admins: options.consoleAdmins ?? [],
		baseUrl,
		pages,
		windows,
		tokens: sessionTokens,
	});
	const rateLimits = createRateLimits(parts, { limiter: options.rateLimiter });
	const onDomainDeleted = () => {
		keys.forgetAll();
		serving.forgetAll();
		background.wake();
	};
	const system = { version, baseUrl, time, isOwnStorage: installation.isOwnStorage, storage };
	const counts = createCounts(parts);
	const admin = createAdmin(parts, { ...shared, fileUrl, onDomainDeleted, system, counts });
	const background = createBackground(parts, {
		...shared,
		uploads,
		reaper,
		backoff,
		chores: { ...jobs.timeouts, forgetUploadLeases: uploads.forgetEndedLeases, ...createRetention(parts, shared) },
		nouns: [sandbox, admin, erasures, playback, outros, jobs, webhooks, rateLimits, console, counts],
		ownChores: serving.chores,
		pulse,
		isOwnStorage: installation.isOwnStorage,
		minutely: { "master keys": resealing.work, "local storage": installation.work },
		loops: [webhooks.loop, publications.loop, imports.loop],
	});
	const nouns = {
		time,
		installation,
		resealing,
		sandbox,
		console,
		serving,
		webhooks,
		publications,
		imports,
		background,
		stores,
	};

	return traced(tracer, {
		...createLifecycle({ ...nouns, idle }),
		baseUrl,
		version,
		clock,
		random,
		logger: parts.logger,
		tracer,
		keys,
		accounts,
		console,
		admin,
		audit: createAudit(parts, { pages }),
		domains,
		limits: createLimits({ domains, ...ceilings }),
		rateLimits,
		usage: createUsage(parts),
		quotas: createQuotas(parts, { instanceDailyBytes }),
		sandbox,
		videos,
		imports,
		erasures,
		transcripts,
		captions,
		chapters,
		clips,
		posters,
		metadata,
		frames,
		outros,
		storage,
		uploads,
		jobs,
		playback,
		serving,
		webhooks,
		metrics: createMetrics(parts, { locations, counts, serving, storage, resealing, time }),
		check: createCheck(parts, {
			...shared,
			fileUrl,
			webhookAttempts,
			untouchedSeconds: windows.untouched,
			afterChange: afterSweep,
		}),
		proveWritable: createProveWritable(parts),
	});
}
