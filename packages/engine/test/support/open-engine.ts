import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	type CreatedVideo,
	type CreateVideo,
	type Domain,
	type DomainLimits,
	type Job,
	outputSumsFile,
} from "@reelmill/contracts";
import {
	createEngine,
	type Database,
	type Engine,
	type EngineOptions,
	type ObjectStorage,
	type TenantPrincipal,
	type UploadStore,
	type WebhookRequest,
	type WebhookResult,
	type WebhookTransport,
} from "@reelmill/engine";
import {
	createFakeClock,
	createRecordingLogger,
	type FakeClock,
	playlistOf,
	type RecordingLogger,
} from "@reelmill/engine/testing";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { openEmptiedDatabase } from "./emptied-database.ts";

/** The network that webhooks leave by is the one thing played here; what is sent is kept. */
export type Receiver = WebhookTransport & {
	readonly requests: WebhookRequest[];
	answer: (request: WebhookRequest) => WebhookResult;
};

export type OpenedEngine = {
	readonly engine: Engine;
	readonly options: EngineOptions;
	readonly database: Database;
	readonly uploads: UploadStore;
	readonly outputs: ObjectStorage;
	readonly clock: FakeClock;
	readonly logger: RecordingLogger;
	readonly receiver: Receiver;
	readonly worker: { readonly accountId: string; readonly name: string };
	tenant(
		slug?: string,
		limits?: Partial<DomainLimits>,
	): Promise<{ domain: Domain; principal: TenantPrincipal; apiKey: string }>;
	close(): Promise<void>;
};

/**
 * In memory where it can be: syncs cost half of the time of tests that make videos by the thousand, and what outlives a
 * power cut is shown elsewhere.
 */
const temporary = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/**
 * A whole engine on PostgreSQL and the disk, with time standing still. Its background work runs only when a test calls
 * `engine.sweep()`.
 */
export async function openEngine(overrides: Partial<EngineOptions> = {}): Promise<OpenedEngine> {
	const { database, close: closeDatabase } = await openEmptiedDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const directory = await mkdtemp(join(temporary, "reelmill-engine-"));
	const uploads = createLocalUploadStore({ directory: join(directory, "uploads") });
	const outputs = createLocalObjectStorage({ directory: join(directory, "outputs") });
	const clock = createFakeClock();
	const logger = createRecordingLogger();
	const receiver = createReceiver();
	const options: EngineOptions = {
		database,
		uploads,
		outputs,
		clock,
		logger,
		webhookTransport: receiver,
		masterKey: new Uint8Array(32).fill(7),
		baseUrl: "https://video.example",
		version: "1.2.3",
		...overrides,
	};
	const engine = createEngine(options);
	let count = 0;
	return {
		engine,
		options,
		database,
		uploads,
		outputs,
		clock,
		logger,
		receiver,
		worker: { accountId: "00000000-0000-4000-8000-000000000000", name: "tester" },
		async tenant(slug = `tenant-${count++}`, limits = {}) {
			const { domain, api_key } = await engine.domains.create({ slug, limits });
			return { domain, apiKey: api_key, principal: await engine.keys.authenticate(`Bearer ${api_key}`) };
		},
		async close() {
			await engine.stop();
			await closeDatabase();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

export function createReceiver(): Receiver {
	const requests: WebhookRequest[] = [];
	return {
		requests,
		answer: () => ({ status: 200, error: null }),
		async send(request) {
			requests.push(request);
			return this.answer(request);
		},
		refusal: (url) => (url.startsWith("http") ? null : "must be http or https"),
		close: async () => undefined,
	};
}

export const bytesOf = async function* (...parts: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
	for (const part of parts) yield typeof part === "string" ? Buffer.from(part) : part;
};

export const clip: CreateVideo = { content_type: "video/mp4", file_size: 10 };
export const clipBytes = "0123456789";

/** Initiates and uploads ten bytes. */
export async function uploadVideo(
	{ engine }: OpenedEngine,
	principal: TenantPrincipal,
	input: Partial<CreateVideo> = {},
): Promise<CreatedVideo> {
	const created = await engine.videos.create(principal, { ...clip, ...input });
	const token = await engine.uploads.authenticate(`Bearer ${created.upload.token}`);
	await engine.uploads.create(token, { videoId: created.video.id, length: 10 });
	await engine.uploads.append(token, created.video.id, 0, bytesOf(clipBytes));
	return created;
}

export const outputFiles = ["hls/master.m3u8", "media/h264_720.mp4", "og.jpg", "web.mp4"];

/** What is stored of an archive of them: the server adds their sums. */
export const archivedFiles = [outputSumsFile, ...outputFiles];

/** What stands in each of them, and in any other file of outputs. */
export const contentOf = (path: string): string => (path === "hls/master.m3u8" ? playlistOf(7.64) : `bytes of ${path}`);

/** Does a worker's part for a claimed job: outputs of a few bytes, then `complete`. */
export async function finishJob(opened: OpenedEngine, job: Job): Promise<void> {
	await deliver(opened, job);
	await opened.engine.jobs.complete(job.id, completion(job));
}

/** Delivers {@link outputFiles} as an archive's entries. */
export async function deliver({ engine }: OpenedEngine, job: Job): Promise<void> {
	await engine.jobs.replaceOutputs(
		job.id,
		job.lock,
		(async function* () {
			for (const path of outputFiles) yield { path, bytes: bytesOf(contentOf(path)) };
		})(),
	);
}

export const completion = (job: Job) => ({
	lock: job.lock,
	outputs: {
		files: outputFiles,
		renditions: [{ name: "h264_720", codec: "h264" as const, width: 1280, height: 720, bitrate: 2_000_000 }],
	},
	media: { duration_seconds: 7.64, width: 1280, height: 720, transcript_status: "disabled" as const, language: null },
});
