import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createEngine, createThrottledLogger, type Logger, masterKeyInForce, systemClock } from "@reelmill/engine";
import { checkIdentityProvider, checkTrustedProxies, checkWorkerNetworks, createNodeListener } from "@reelmill/http";
import { createOperationsListener } from "@reelmill/operations";
import { createWebhookTransport } from "@reelmill/outbound";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openSendFile } from "@reelmill/sendfile";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";
import { createBucketOpener } from "@reelmill/storage-s3";
import type { Config } from "./config.ts";
import { keepMasterKey, openDataDirectory } from "./data-directory/data-directory.ts";
import { type FirstTenant, keepFirstTenant } from "./data-directory/first-tenant.ts";
import { keepRemovingLeftovers } from "./data-directory/leftovers.ts";
import { lockDataDirectory } from "./data-directory/lock.ts";
import { findWorkerPrograms, startEmbeddedWorker } from "./embedded-worker.ts";
import { createServerMetrics } from "./operations/metrics.ts";
import { createReadiness } from "./operations/readiness.ts";
import { createServerFacts } from "./operations/server-facts.ts";
import { cautionsOf } from "./start/cautions.ts";
import { type ConsoleEntrance, consoleDirectory, keepConsoleSecret, openConsole } from "./start/console.ts";
import { identityProviderOf } from "./start/identity-provider.ts";
import { listen } from "./start/listen.ts";
import { openDatabase } from "./start/open-database.ts";
import { openTracing } from "./start/open-tracing.ts";
import { refuseSecondMasterKey, startEngine } from "./start/start-engine.ts";
import { namingSetting } from "./start/start-error.ts";
import { checkStorageDefault, readStorageLocations } from "./start/storage-locations.ts";
import { keepTranscodersAccount } from "./start/transcoders-account.ts";
import { version } from "./version.ts";
import { windowsOf } from "./windows.ts";

export type RunningServer = {
	readonly baseUrl: string;
	readonly tenant: FirstTenant;
	/** `null` if the server leaves the web console out. */
	readonly console: ConsoleEntrance | null;
	/** The port of /health, /ready and /metrics; `null` if they are not served. */
	readonly operationsPort: number | null;
	/**
	 * Stops the server. /ready answers 503 at once, and waiting claims are answered. Embedded workers stop first, so that
	 * they can give their jobs back. Then the server takes no more connections, and running requests may end within the
	 * time that the setting allows. Resolves when nothing is left.
	 */
	stop(): Promise<void>;
};

/**
 * Starts the reference server, and resolves when it answers requests. If something fails, everything that was opened is
 * closed again.
 *
 * @throws {StartError} when the start can't go on; the message says what is wrong and what to do.
 */
export async function startServer(
	config: Config,
	givenLogger: Logger,
	onProgress: (step: string) => void,
): Promise<RunningServer> {
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
		const programs = config.EMBEDDED_WORKERS > 0 ? await findWorkerPrograms(config) : null;
		const webhookTransport = namingSetting("REELMILL_WEBHOOK_ALLOW_CIDRS", () =>
			createWebhookTransport({ allow: config.WEBHOOK_ALLOW_CIDRS }),
		);
		opened.push(() => webhookTransport.close());
		const buckets = namingSetting("REELMILL_STORAGE_ALLOW_CIDRS", () =>
			createBucketOpener({
				allow: config.STORAGE_ALLOW_CIDRS,
				progressTimeoutMilliseconds: config.STORAGE_SILENCE_SECONDS * 1000,
			}),
		);
		const storageLocations =
			config.STORAGE_LOCATIONS === undefined ? [] : await readStorageLocations(config.STORAGE_LOCATIONS);
		checkStorageDefault(config.STORAGE_DEFAULT, storageLocations);
		namingSetting("REELMILL_TRUSTED_PROXIES", () => checkTrustedProxies(config.TRUSTED_PROXIES));
		const provider = identityProviderOf(config);
		if (provider !== undefined) namingSetting("REELMILL_OIDC_ISSUER", () => checkIdentityProvider(provider));
		namingSetting("REELMILL_WORKER_CIDRS", () => checkWorkerNetworks(config.WORKER_CIDRS));
		const guard = {
			logger,
			trustedProxies: config.TRUSTED_PROXIES,
			workerNetworks: config.WORKER_CIDRS,
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
		const { database: opening, close } = await openDatabase(config, logger, onProgress);
		opened.push(close);
		const metrics =
			operations && createServerMetrics({ embedded: config.EMBEDDED_WORKERS > 0, directory: config.DATA_DIR });
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
			rateLimiter: createPostgresRateLimiter({ database }),
			logger,
			...(tracing.tracer !== undefined && { tracer: tracing.tracer }),
			...(metrics !== null && { observer: metrics.observer }),
			masterKey,
			previousMasterKeys: config.MASTER_KEY_PREVIOUS,
			...(config.MASTER_KEY_LOST !== undefined && { lostMasterKey: config.MASTER_KEY_LOST }),
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
			...(config.DELIVERY_MEMORY_BYTES !== undefined && { servingCacheBytes: config.DELIVERY_MEMORY_BYTES }),
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
		if (operations !== null && metrics !== null) {
			const ready = createReadiness({
				serving: () => serving,
				proveDatabase: engine.proveWritable,
				dataDirectory: config.DATA_DIR,
			});
			metrics.show(engine.metrics);
			operations.serve(createOperationsListener({ ready, metrics, logger }));
		}
		const page = consoleDirectory(config);
		const sendFile = config.SENDFILE === "on" ? await openSendFile() : null;
		const listener = createNodeListener(engine, {
			archiveBytes: config.ARCHIVE_BYTES,
			spoolDirectory: config.DATA_DIR,
			trustedProxies: config.TRUSTED_PROXIES,
			workerNetworks: config.WORKER_CIDRS,
			draining: draining.signal,
			serverFacts: createServerFacts(config),
			...(sendFile !== null && { sendFile }),
			...(provider !== undefined && { identityProvider: provider }),
			...(page !== undefined && { console: { directory: page } }),
			...(metrics !== null && { observe: metrics.observe }),
			...(config.ADMIN_KEY !== undefined && { adminKey: config.ADMIN_KEY }),
		});
		listening.serve(listener);
		serving = true;
		// From here on requests are answered. They must end before what they use is closed.
		opened.push(() => listening.close(drainMilliseconds).then(listener.settled));

		if (programs !== null) {
			const name = `embedded-${config.workerName}-${listening.port}`;
			opened.push(await startEmbeddedWorker({ config, engine, listener, name, programs, metrics }));
		}
		const console = await openConsole(engine, config);
		return { baseUrl, tenant, console, operationsPort: operations?.port ?? null, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Returns an address by which this machine reaches itself when it listens on `host`. */
const reachable = (host: string): string =>
	host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
