import { access, constants, mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { printable } from "@reelmill/contracts/printable";
import { findHardware } from "@reelmill/media";
import { findWorkerPrograms } from "@reelmill/operations";
import { createGuardedFetch } from "@reelmill/outbound";
import { namingSetting, runProgram, StartError } from "@reelmill/settings";
import { createWorker, type WorkerEnd } from "@reelmill/worker";
import pino from "pino";
import manifest from "../package.json" with { type: "json" };
import { type Config, help, options, readConfig } from "./config.ts";
import { exitCodeOf } from "./exit-code.ts";
import { createTranscoderMetrics } from "./metrics.ts";
import { serveOperations } from "./serve-operations.ts";

const { version } = manifest;

async function openWorkDirectory({ WORKDIR }: Config): Promise<void> {
	try {
		await mkdir(WORKDIR, { recursive: true });
		await access(WORKDIR, constants.W_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new StartError(`REELMILL_WORKDIR: ${WORKDIR} can't be written to (${code}); name a folder that can.`);
	}
}

/** Starts the tracing that the settings ask for. Nothing of OpenTelemetry is loaded if they name no collector. */
async function openTracing({ tracing, LOG_LEVEL }: Config) {
	const logger = pino(
		{ level: LOG_LEVEL, hooks: { streamWrite: printable } },
		pino.destination({ dest: 2, sync: true }),
	);
	if (tracing === null) return { logger, tracer: undefined, stop: async () => {} };
	const { startTracing } = await import("@reelmill/opentelemetry");
	return startTracing({ ...tracing, serviceName: "reelmill-transcoder", serviceVersion: version, logger });
}

async function start(settings: Config) {
	const guard = namingSetting("REELMILL_STORAGE_ALLOW_CIDRS", () =>
		createGuardedFetch({ allow: settings.STORAGE_ALLOW_CIDRS }),
	);
	const { tools, transcriber } = await findWorkerPrograms(settings, {
		searchPath: settings.searchPath,
		resolveWhisper: () => import.meta.resolve("@fugood/whisper.node"),
	});
	await openWorkDirectory(settings);
	const { logger, tracer, stop: stopTracing } = await openTracing(settings);
	const { hardware } = await findHardware(tools, {
		choice: settings.ENCODER,
		device: settings.ENCODER_DEVICE,
		logger,
	});
	const metrics = createTranscoderMetrics(settings.WORKDIR);
	const { endsAfter } = settings;
	const ending = Promise.withResolvers<WorkerEnd>();
	const worker = createWorker({
		apiUrl: settings.API_URL,
		name: settings.SERVICE_NAME,
		worker: hostname(),
		secret: settings.SERVICE_SECRET,
		workDirectory: settings.WORKDIR,
		tokenDirectory: settings.WORKDIR,
		graceSeconds: settings.DRAIN_SECONDS,
		concurrency: settings.CONCURRENCY,
		...(endsAfter !== undefined && { endsAfter }),
		onEnded: ending.resolve,
		chunkWorkers: settings.CHUNK_WORKERS,
		keepChunks: settings.KEEP_CHUNKS,
		tools: { ...tools, hardware },
		logger,
		...(tracer !== undefined && { tracer }),
		onConfinement: metrics.setConfinement,
		onJobEnded: metrics.worker.onJobEnded,
		fetchFromTenants: guard.fetch,
		transcriber: transcriber ?? undefined,
	});
	metrics.worker.show(worker.status);
	const operations = await serveOperations(settings, { worker, metrics, logger });
	worker.start();
	logger.info({ api: settings.API_URL, workDirectory: settings.WORKDIR, ...operations }, "transcoder started");
	const ended = ending.promise.then(async (end) => {
		await stopTracing();
		if (endsAfter !== undefined) logger.info(end, "transcoder ended");
		return end;
	});
	return {
		...(endsAfter !== undefined && { ended: ended.then((end) => exitCodeOf(end)) }),
		async stop(signal: "SIGINT" | "SIGTERM") {
			logger.info(
				{ signal, drainSeconds: settings.DRAIN_SECONDS },
				"stopping: running jobs have so long, then they are given back",
			);
			await worker.stop();
			const end = await ended;
			return endsAfter === undefined ? 0 : exitCodeOf(end, signal);
		},
	};
}

await runProgram({ help, version, options, readConfig, start }, process);
