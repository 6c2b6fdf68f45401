import { join } from "node:path";
import { createCalmLogger, createEngine, type Logger, masterKeyInForce, systemClock } from "@reelmill/engine";
import { checkTrustedProxies, checkWorkerNetworks, createNodeListener } from "@reelmill/http";
import { checkConfinement, checkTools, openTranscriber, type Tools } from "@reelmill/media";
import { createGuardedFetch, createWebhookTransport } from "@reelmill/outbound";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openSendFile } from "@reelmill/sendfile";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createWorker } from "@reelmill/worker";
import type { Config } from "./config.ts";
import { keepMasterKey, openDataDirectory } from "./data-directory/data-directory.ts";
import { type FirstTenant, keepFirstTenant } from "./data-directory/first-tenant.ts";
import { keepRemovingLeftovers } from "./data-directory/leftovers.ts";
import { lockDataDirectory } from "./data-directory/lock.ts";
import { createOperationsListener } from "./operations/listener.ts";
import { createServerMetrics } from "./operations/metrics.ts";
import { createReadiness } from "./operations/readiness.ts";
import { cautionsOf } from "./start/cautions.ts";
import { listen } from "./start/listen.ts";
import { openDatabase } from "./start/open-database.ts";
import { refuseSecondMasterKey, startEngine } from "./start/start-engine.ts";
import { StartError } from "./start/start-error.ts";
import { readStorageLocations } from "./start/storage-locations.ts";
import { version } from "./version.ts";

export type RunningServer = {
	readonly baseUrl: string;
	readonly tenant: FirstTenant;
	/** The port of /ready and /metrics, or null where they aren't served. */
	readonly operationsPort: number | null;
	/**
	 * Says no at /ready at once, answers the claims that wait, takes no more connections, and lets running requests end
	 * for as long as the setting says. Embedded workers end before, so that they can give their jobs back. Resolves when
	 * nothing is left.
	 */
	stop(): Promise<void>;
};

/**
 * Starts the reference server, and resolves when it answers. What was opened before something failed is closed again.
 * Throws a StartError (or a SettingsError's kin) whose message says what is wrong and what to do.
 */
export async function startServer(
	config: Config,
	givenLogger: Logger,
	onProgress: (step: string) => void,
): Promise<RunningServer> {
	const logger = createCalmLogger(givenLogger, systemClock);
	const opened: (() => Promise<unknown>)[] = [];
	const draining = new AbortController();
	const drainMilliseconds = config.DRAIN_SECONDS * 1000;
	let serving = false;
	const stop = async () => {
		serving = false;
		draining.abort();
		while (opened.length > 0) await opened.pop()?.();
	};
	try {
		const tools = config.EMBEDDED_WORKERS > 0 ? await findTools(config) : null;
		if (tools?.confinement === "required") await requireConfinement(tools);
		const transcriber = config.EMBEDDED_WORKERS > 0 ? await findTranscriber(config) : null;
		const webhookTransport = naming("REELMILL_WEBHOOK_ALLOW_CIDRS", () =>
			createWebhookTransport({ allow: config.WEBHOOK_ALLOW_CIDRS }),
		);
		opened.push(() => webhookTransport.close());
		const buckets = naming("REELMILL_STORAGE_ALLOW_CIDRS", () =>
			createBucketOpener({
				allow: config.STORAGE_ALLOW_CIDRS,
				progressTimeoutMilliseconds: config.STORAGE_SILENCE_SECONDS * 1000,
			}),
		);
		const storageLocations =
			config.STORAGE_LOCATIONS === undefined ? [] : await readStorageLocations(config.STORAGE_LOCATIONS);
		naming("REELMILL_TRUSTED_PROXIES", () => checkTrustedProxies(config.TRUSTED_PROXIES));
		naming("REELMILL_WORKER_CIDRS", () => checkWorkerNetworks(config.WORKER_CIDRS));
		const guard = {
			logger,
			trustedProxies: config.TRUSTED_PROXIES,
			waitingConnections: config.WAITING_CONNECTIONS,
			waitingConnectionsPerAddress: config.WAITING_CONNECTIONS_PER_ADDRESS,
		};
		const listening = await listen(config.HOST, config.PORT, guard);
		opened.push(() => listening.close(0));
		const operations =
			config.OPS_PORT === undefined ? null : await listen(config.OPS_HOST, config.OPS_PORT, guard, "REELMILL_OPS_PORT");
		opened.push(async () => operations?.close(0));
		await openDataDirectory(config.DATA_DIR);
		const lock = await lockDataDirectory(config);
		opened.push(lock.release);
		opened.push(keepRemovingLeftovers(config.DATA_DIR, logger));
		const baseUrl = config.BASE_URL ?? `http://${reachable(config.HOST)}:${listening.port}`;
		for (const caution of cautionsOf(config, baseUrl)) logger.warn({}, caution);
		const { database, close } = await openDatabase(config, logger, onProgress);
		opened.push(close);
		const isNew = (await masterKeyInForce(database)) === null;
		if (config.MASTER_KEY === undefined) await refuseSecondMasterKey(database, config);
		const masterKey = config.MASTER_KEY ?? (await keepMasterKey(config.DATA_DIR));

		const engine = createEngine({
			database,
			uploads: createLocalUploadStore({ directory: join(config.DATA_DIR, "uploads") }),
			outputs: createLocalObjectStorage({ directory: join(config.DATA_DIR, "outputs") }),
			storageMark: createLocalStorageMark({ directory: config.DATA_DIR }),
			buckets,
			storageLocations,
			webhookTransport,
			rateLimiter: createPostgresRateLimiter({ database }),
			logger,
			masterKey,
			previousMasterKeys: config.MASTER_KEY_PREVIOUS,
			...(config.MASTER_KEY_LOST !== undefined && { lostMasterKey: config.MASTER_KEY_LOST }),
			baseUrl,
			version,
			speed: config.SPEED,
			playableFirst: config.PLAYABLE_FIRST === "on",
			sandbox: config.SANDBOX === "on",
			maxFileBytes: config.MAX_FILE_BYTES,
			maxDurationSeconds: config.MAX_DURATION_SECONDS,
			...(config.DELIVERY_MEMORY_BYTES !== undefined && { deliveryCacheBytes: config.DELIVERY_MEMORY_BYTES }),
			...(config.DAILY_UPLOAD_BYTES !== undefined && { dailyUploadBytes: config.DAILY_UPLOAD_BYTES }),
			windows: {
				pendingUpload: config.PENDING_UPLOAD_SECONDS,
				lock: config.LOCK_SECONDS,
				processing: config.PROCESSING_SECONDS,
				queue: config.QUEUE_SECONDS,
				rotationGrace: config.ROTATION_GRACE_SECONDS,
				sandbox: config.SANDBOX_SECONDS,
				sweep: config.SWEEP_SECONDS,
				webhookSchedule: config.WEBHOOK_SCHEDULE_SECONDS,
				webhookLog: config.WEBHOOK_LOG_DAYS * 86_400,
				keepDeleted: config.KEEP_DELETED_DAYS * 86_400,
				keepEnded: config.KEEP_ENDED_DAYS * 86_400,
				keepUsage: config.KEEP_USAGE_DAYS * 86_400,
				untouched: config.CHECK_AGE_SECONDS,
			},
		});
		await startEngine(engine, config);
		opened.push(() => engine.stop());
		const tenant = await keepFirstTenant(engine, config.DATA_DIR, {
			mayMake: isNew || config.DATABASE_URL === undefined,
		});
		const metrics = operations && createServerMetrics(engine.metrics);
		if (operations !== null && metrics !== null) {
			const ready = createReadiness({
				serving: () => serving,
				proveDatabase: engine.proveWritable,
				dataDirectory: config.DATA_DIR,
			});
			operations.serve(createOperationsListener({ ready, metrics, logger }));
		}
		const sendFile = config.SENDFILE === "on" ? await openSendFile() : null;
		const listener = createNodeListener(engine, {
			archiveBytes: config.ARCHIVE_BYTES,
			spoolDirectory: config.DATA_DIR,
			trustedProxies: config.TRUSTED_PROXIES,
			workerNetworks: config.WORKER_CIDRS,
			draining: draining.signal,
			...(sendFile !== null && { sendFile }),
			...(metrics !== null && { observe: metrics.observe }),
			...(config.ADMIN_KEY !== undefined && { adminKey: config.ADMIN_KEY }),
		});
		listening.serve(listener);
		serving = true;
		// From here requests are answered; they end before what they stand on does.
		opened.push(() => listening.close(drainMilliseconds).then(listener.settled));

		if (tools !== null) {
			const name = `embedded-${config.workerName}-${listening.port}`;
			const { issueToken } = await engine.accounts.ensure({ name });
			// A way in of its own: strangers can't use up what the worker's address, or the public port, may take.
			const inside = await listen("127.0.0.1", 0, { logger });
			inside.serve(listener);
			opened.push(() => inside.close(0));
			const guarded = createGuardedFetch({ allow: config.STORAGE_ALLOW_CIDRS });
			opened.push(guarded.close);
			const worker = createWorker({
				apiUrl: `http://127.0.0.1:${inside.port}`,
				name,
				issueToken,
				workDirectory: join(config.DATA_DIR, "work"),
				concurrency: config.EMBEDDED_WORKERS,
				chunkWorkers: config.CHUNK_WORKERS,
				tools,
				logger,
				fetchFromTenants: guarded.fetch,
				transcriber: transcriber ?? undefined,
				...(metrics !== null && { onConfinement: metrics.setConfinement }),
			});
			worker.start();
			opened.push(() => worker.stop());
		}
		return { baseUrl, tenant, operationsPort: operations?.port ?? null, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

async function findTools(config: Config) {
	try {
		const tools = { ffmpeg: config.FFMPEG, ffprobe: config.FFPROBE, confinement: config.CONFINEMENT };
		return await checkTools(tools, process.env.PATH);
	} catch (cause) {
		throw new StartError(
			`${(cause as Error).message} REELMILL_FFMPEG and REELMILL_FFPROBE name others; REELMILL_EMBEDDED_WORKERS=0 starts without.`,
			{
				cause,
			},
		);
	}
}

const requireConfinement = (tools: Tools) =>
	checkConfinement(tools).catch((cause: Error) => {
		throw new StartError(`REELMILL_CONFINEMENT: ${cause.message}`, { cause });
	});

async function findTranscriber({ TRANSCRIBER, WHISPER_MODEL }: Config) {
	try {
		const binding = import.meta.resolve("@fugood/whisper.node");
		return await openTranscriber({ program: TRANSCRIBER, model: WHISPER_MODEL, binding, searchPath: process.env.PATH });
	} catch (cause) {
		throw new StartError(
			`${(cause as Error).message} ${TRANSCRIBER === undefined ? "REELMILL_WHISPER_MODEL" : "REELMILL_TRANSCRIBER"} names it.`,
			{ cause },
		);
	}
}

/** Runs `use`; what is wrong with the setting's value becomes a StartError that names it. */
function naming<T>(setting: string, use: () => T): T {
	try {
		return use();
	} catch (cause) {
		throw new StartError(`${setting}: ${(cause as Error).message}`, { cause });
	}
}

/** An address under which this machine reaches itself when it listens on `host`. */
const reachable = (host: string): string =>
	host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
