import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Readiness } from "@reelmill/contracts";
import { createEngine, createThrottledLogger, type Logger, masterKeyInForce, systemClock } from "@reelmill/engine";
import { checkIdentityProvider, createNodeListener } from "@reelmill/http";
import { createImportSource, createWebhookTransport } from "@reelmill/outbound";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openSendFile } from "@reelmill/sendfile";
import { namingSetting } from "@reelmill/settings";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";
import { createBucketOpener } from "@reelmill/storage-s3";
import type { Config } from "../config.ts";
import { keepMasterKey } from "../data-directory/data-directory.ts";
import { type FirstTenant, keepFirstTenant } from "../data-directory/first-tenant.ts";
import { findPrograms, startEmbeddedWorker } from "../embedded-worker.ts";
import { createServerMetrics, type ServerMetrics } from "../operations/metrics.ts";
import { createReadiness } from "../operations/readiness.ts";
import { createServerFacts } from "../operations/server-facts.ts";
import { version } from "../version.ts";
import { windowsOf } from "../windows.ts";
import { builtReference, type ConsoleEntrance, consoleDirectory, keepConsoleSecret, openConsole } from "./console.ts";
import type { OpenGround } from "./ground.ts";
import { identityProviderOf } from "./identity-provider.ts";
import { guardOf, listen } from "./listen.ts";
import { openDatabase } from "./open-database.ts";
import { openTracing } from "./open-tracing.ts";
import { refuseSecondMasterKey, startEngine } from "./start-engine.ts";
import { checkStorageDefault, readStorageLocations } from "./storage-locations.ts";
import { keepTranscodersAccount } from "./transcoders-account.ts";

/** What the command and programs are told of a server that has started. */
export type StartedServer = {
	readonly baseUrl: string;
	readonly tenant: FirstTenant;
	/** `null` if the server leaves the web console out. */
	readonly console: ConsoleEntrance | null;
	/** The port of /health, /ready and /metrics; `null` if they are not served. */
	readonly operationsPort: number | null;
};

/** A process that answers requests. */
export type Answering = Pick<StartedServer, "baseUrl" | "tenant"> & {
	readonly port: number;
	/** Returns how to get to the console, with a link that signs in once; `null` if the server leaves it out. */
	readonly openConsole: () => Promise<ConsoleEntrance | null>;
	/** Resolves to whether this process can take traffic. It never rejects. */
	readonly ready: () => Promise<Readiness>;
	/** `null` if the server has no operations port. */
	readonly metrics: ServerMetrics | null;
	/**
	 * Stops in order. `ready` says at once that it takes no traffic, and waiting claims are answered. Embedded workers
	 * stop first, so that they can give their jobs back. Then the process takes no more connections, and running requests
	 * may end within the time that the setting allows. Resolves when nothing is left.
	 */
	stop(): Promise<void>;
};

export type AnsweringOptions = {
	/** Is asked for what the server has once. */
	readonly openGround: OpenGround;
	/** Tells this process from the others of the server (default: it is the only one). */
	readonly process?: number;
	/**
	 * The port that other processes of the server have already. Then this one opens it when it can answer (default: the
	 * port is opened first, so that a taken one costs nothing, and answers 503 until then).
	 */
	readonly openPort?: number | undefined;
};

/**
 * Opens all that answers requests in this process, and resolves when it answers them. If something fails, everything
 * that was opened is closed again.
 *
 * @throws {StartError} when the start can't go on; the message says what is wrong and what to do.
 */
export async function startAnswering(
	config: Config,
	givenLogger: Logger,
	{ openGround, process, openPort }: AnsweringOptions,
): Promise<Answering> {
	const tracing = await openTracing(config, givenLogger);
	const logger = createThrottledLogger(tracing.logger, systemClock);
	const opened: (() => Promise<unknown>)[] = [tracing.stop];
	const draining = new AbortController();
	const drainMilliseconds = config.DRAIN_SECONDS * 1000;
	let serving = false;
	const stop = async () => {
		serving = false;
		draining.abort();
		while (opened.length > 0) await opened.pop()?.();
	};
	try {
		const programs = config.EMBEDDED_WORKERS > 0 ? await findPrograms(config) : null;
		const webhookTransport = namingSetting("REELMILL_WEBHOOK_ALLOW_CIDRS", () =>
			createWebhookTransport({ allow: config.WEBHOOK_ALLOW_CIDRS }),
		);
		opened.push(() => webhookTransport.close());
		const importSource = namingSetting("REELMILL_IMPORT_ALLOW_CIDRS", () =>
			createImportSource({ allow: config.IMPORT_ALLOW_CIDRS }),
		);
		opened.push(() => importSource.close());
		const buckets = namingSetting("REELMILL_STORAGE_ALLOW_CIDRS", () =>
			createBucketOpener({
				allow: config.STORAGE_ALLOW_CIDRS,
				progressTimeoutMilliseconds: config.STORAGE_SILENCE_SECONDS * 1000,
			}),
		);
		const storageLocations =
			config.STORAGE_LOCATIONS === undefined ? [] : await readStorageLocations(config.STORAGE_LOCATIONS);
		checkStorageDefault(config.STORAGE_DEFAULT, storageLocations);
		const provider = identityProviderOf(config);
		if (provider !== undefined) namingSetting("REELMILL_OIDC_ISSUER", () => checkIdentityProvider(provider));
		const openShared = async () => {
			const listening = await listen(config.HOST, config.PORT, guardOf(config, logger), { isShared: true });
			opened.push(() => listening.close(0));
			return listening;
		};
		const first = openPort === undefined ? await openShared() : null;
		const port = first?.port ?? openPort;
		const baseUrl = config.BASE_URL ?? `http://${reachable(config.HOST)}:${port}`;
		const ground = await openGround(baseUrl);
		opened.push(ground.close);
		const { database: opening, close } = await openDatabase(config, ground.databaseUrl, logger);
		opened.push(close);
		const metrics =
			config.OPS_PORT === undefined
				? null
				: createServerMetrics({ embedded: config.EMBEDDED_WORKERS > 0, directory: config.DATA_DIR, process });
		const database = metrics?.measured(opening) ?? opening;
		const isNew = (await masterKeyInForce(database)) === null;
		if (config.MASTER_KEY === undefined) await refuseSecondMasterKey(database, config);
		const masterKey = config.MASTER_KEY ?? (await keepMasterKey(config.DATA_DIR));

		const consoleSecret = await keepConsoleSecret(config, () => randomBytes(32).toString("hex"));

		const engine = createEngine({
			database,
			uploads: createLocalUploadStore({ directory: join(config.DATA_DIR, "uploads") }),
			outputs: createLocalObjectStorage({ directory: join(config.DATA_DIR, "outputs") }),
			storageMark: createLocalStorageMark({ directory: config.DATA_DIR }),
			buckets,
			storageLocations,
			...(config.STORAGE_DEFAULT !== undefined && { storageDefault: config.STORAGE_DEFAULT }),
			webhookTransport,
			importSource,
			importsAtOnce: config.IMPORTS_AT_ONCE,
			rateLimiter: createPostgresRateLimiter({ database }),
			logger,
			...(tracing.tracer !== undefined && { tracer: tracing.tracer }),
			...(metrics !== null && { observer: metrics.observer }),
			masterKey,
			previousMasterKeys: config.MASTER_KEY_PREVIOUS,
			...(config.MASTER_KEY_LOST !== undefined && { lostMasterKey: config.MASTER_KEY_LOST }),
			playbackKeyAlgorithm: config.PLAYBACK_KEY_ALGORITHM,
			baseUrl,
			version,
			speed: config.SPEED,
			playableFirst: config.PLAYABLE_FIRST === "on",
			sandbox: config.SANDBOX === "on",
			console: config.CONSOLE === "on",
			consoleAdmins: config.CONSOLE_ADMINS,
			...(consoleSecret !== undefined && { consoleSecret }),
			maxFileBytes: config.MAX_FILE_BYTES,
			maxDurationSeconds: config.MAX_DURATION_SECONDS,
			servingCacheBytes: config.DELIVERY_MEMORY_BYTES,
			...(config.DAILY_UPLOAD_BYTES !== undefined && { dailyUploadBytes: config.DAILY_UPLOAD_BYTES }),
			windows: windowsOf(config),
		});
		await startEngine(engine, config);
		opened.push(() => engine.stop());
		await keepTranscodersAccount(engine, config, logger);
		const tenant = await keepFirstTenant(engine, config.DATA_DIR, {
			isNew,
			ownsDatabase: config.DATABASE_URL === undefined,
		});
		const ready = createReadiness({
			serving: () => serving,
			proveDatabase: engine.proveWritable,
			dataDirectory: config.DATA_DIR,
		});
		metrics?.show(engine.metrics);
		const page = consoleDirectory(config);
		const reference = builtReference();
		const sendFile = config.SENDFILE === "on" ? await openSendFile() : null;
		const listener = createNodeListener(engine, {
			archiveBytes: config.ARCHIVE_BYTES,
			spoolDirectory: config.DATA_DIR,
			trustedProxies: config.TRUSTED_PROXIES,
			workerNetworks: config.WORKER_CIDRS,
			draining: draining.signal,
			serverFacts: createServerFacts({ ...config, baseUrl }),
			...(sendFile !== null && { sendFile }),
			...(config.DELIVERY_BYTES_PER_SECOND !== undefined && {
				deliveryBytesPerSecond: config.DELIVERY_BYTES_PER_SECOND,
			}),
			...(provider !== undefined && { identityProvider: provider }),
			...(page !== undefined && { console: { directory: page } }),
			...(reference !== undefined && { reference: { directory: reference } }),
			...(metrics !== null && { observe: metrics.observe }),
			...(config.ADMIN_KEY !== undefined && { adminKey: config.ADMIN_KEY }),
		});
		const listening = first ?? (await openShared());
		listening.serve(listener);
		serving = true;
		// From here on requests are answered. They must end before what they use is closed.
		opened.push(() => listening.close(drainMilliseconds).then(listener.settled));

		if (programs !== null) {
			const name = `embedded-${config.workerName}-${listening.port}`;
			opened.push(await startEmbeddedWorker({ config, engine, listener, name, programs, metrics }));
		}
		return {
			baseUrl,
			port: listening.port,
			tenant,
			openConsole: () => openConsole(engine, config),
			ready,
			metrics,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Returns an address by which this machine reaches itself when it listens on `host`. */
const reachable = (host: string): string =>
	host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
