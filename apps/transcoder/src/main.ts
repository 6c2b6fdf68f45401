#!/usr/bin/env node
import { access, constants, mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import {
	checkConfinement,
	checkTools,
	findHardware,
	openTranscriber,
	type Tools,
	type Transcriber,
} from "@reelmill/media";
import { createGuardedFetch, type GuardedFetch } from "@reelmill/outbound";
import { SettingsError } from "@reelmill/settings";
import { createWorker } from "@reelmill/worker";
import pino from "pino";
import manifest from "../package.json" with { type: "json" };
import { type Config, help, readConfig } from "./config.ts";
import { createTranscoderMetrics } from "./metrics.ts";
import { openTracing } from "./open-tracing.ts";
import { serveOperations } from "./serve-operations.ts";

function refuse(message: string): never {
	process.stderr.write(`${message}\n`);
	process.exit(1);
}

function config(): Config {
	const [unknown] = process.argv.slice(2);
	if (unknown !== undefined) refuse(`${unknown} is not an option of this program; --help lists its settings.`);
	try {
		return readConfig();
	} catch (error) {
		if (error instanceof SettingsError) refuse(error.message);
		throw error;
	}
}

const findTools = ({ FFMPEG, FFPROBE, CONFINEMENT, searchPath }: Config): Promise<Tools> =>
	checkTools({ ffmpeg: FFMPEG, ffprobe: FFPROBE, confinement: CONFINEMENT }, searchPath).catch((error: Error) =>
		refuse(`${error.message} REELMILL_FFMPEG and REELMILL_FFPROBE name others.`),
	);

/** Returns where the binding to whisper.cpp is; `undefined` if this optional package is not installed. */
function whisperBinding(): string | undefined {
	try {
		return import.meta.resolve("@fugood/whisper.node");
	} catch {
		return undefined;
	}
}

const findTranscriber = ({ TRANSCRIBER, WHISPER_MODEL, searchPath }: Config): Promise<Transcriber | null> =>
	openTranscriber({
		program: TRANSCRIBER,
		model: WHISPER_MODEL,
		binding: whisperBinding(),
		searchPath,
	}).catch((error: Error) =>
		refuse(
			`${error.message} ${TRANSCRIBER === undefined ? "REELMILL_WHISPER_MODEL" : "REELMILL_TRANSCRIBER"} names it.`,
		),
	);

async function openWorkDirectory({ WORKDIR }: Config): Promise<void> {
	try {
		await mkdir(WORKDIR, { recursive: true });
		await access(WORKDIR, constants.W_OK);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		refuse(`REELMILL_WORKDIR: ${WORKDIR} can't be written to (${code}); name a folder that can.`);
	}
}

function openGuard({ STORAGE_ALLOW_CIDRS }: Config): GuardedFetch {
	try {
		return createGuardedFetch({ allow: STORAGE_ALLOW_CIDRS });
	} catch (error) {
		return refuse(`REELMILL_STORAGE_ALLOW_CIDRS: ${(error as Error).message}`);
	}
}

if (process.argv.includes("--help")) process.stdout.write(`${help}\n`);
else if (process.argv.includes("--version")) process.stdout.write(`${manifest.version}\n`);
else {
	const settings = config();
	const guard = openGuard(settings);
	const tools = await findTools(settings);
	if (settings.CONFINEMENT === "required")
		await checkConfinement(tools).catch((error: Error) => refuse(`REELMILL_CONFINEMENT: ${error.message}`));
	const transcriber = await findTranscriber(settings);
	await openWorkDirectory(settings);
	const plain = pino({ level: settings.LOG_LEVEL }, pino.destination({ dest: 2, sync: true }));
	const { logger, tracer, stop: stopTracing } = await openTracing(settings, plain);
	const { hardware } = await findHardware(tools, {
		choice: settings.ENCODER,
		device: settings.ENCODER_DEVICE,
		logger,
	});
	const metrics = createTranscoderMetrics(settings.WORKDIR);
	const worker = createWorker({
		apiUrl: settings.API_URL,
		name: settings.SERVICE_NAME,
		worker: hostname(),
		secret: settings.SERVICE_SECRET,
		workDirectory: settings.WORKDIR,
		tokenDirectory: settings.WORKDIR,
		graceSeconds: settings.DRAIN_SECONDS,
		concurrency: settings.CONCURRENCY,
		chunkWorkers: settings.CHUNK_WORKERS,
		tools: { ...tools, hardware },
		logger,
		...(tracer !== undefined && { tracer }),
		onConfinement: metrics.setConfinement,
		onJobEnded: metrics.worker.onJobEnded,
		fetchFromTenants: guard.fetch,
		transcriber: transcriber ?? undefined,
	});
	metrics.worker.show(worker.status);
	const operations = await serveOperations(settings, { worker, metrics, logger }).catch((error: Error) =>
		refuse(error.message),
	);
	worker.start();
	logger.info({ api: settings.API_URL, workDirectory: settings.WORKDIR, ...operations }, "transcoder started");
	let asked: number | undefined;
	for (const signal of ["SIGINT", "SIGTERM"] as const) {
		process.on(signal, () => {
			if (asked !== undefined) {
				// One Ctrl-C can arrive several times, through the process group and through npm. Only one that comes more than
				// a second later ends the process at once.
				if (performance.now() - asked > 1000) process.exit(1);
				return;
			}
			asked = performance.now();
			logger.info(
				{ signal, drainSeconds: settings.DRAIN_SECONDS },
				"stopping: running jobs have so long, then they are given back",
			);
			worker
				.stop()
				.then(stopTracing)
				.then(() => process.exit(0));
		});
	}
}
