import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CreatedVideo, CreateVideo, Domain, Job } from "@reelmill/contracts";
import {
	createEngine,
	type Database,
	type Engine,
	type EngineOptions,
	type ImportSource,
	type WebhookTransport,
} from "@reelmill/engine";
import { createFakeClock, createRecordingLogger, type FakeClock, type RecordingLogger } from "@reelmill/engine/testing";
import { createNodeListener, guardServer, type HttpOptions, type NodeListener } from "@reelmill/http";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";
import { openEmptiedDatabase } from "../../../engine/test/support/emptied-database.ts";
import { type Answer, bearer, type Sent, send } from "./send.ts";

export type Service = {
	readonly engine: Engine;
	readonly database: Database;
	readonly options: HttpOptions;
	readonly engineOptions: EngineOptions;
	readonly listener: NodeListener;
	readonly clock: FakeClock;
	readonly logger: RecordingLogger;
	/** Where archives are spooled. */
	readonly spoolDirectory: string;
	/** Where outputs are, of domains that store on the disk. */
	readonly outputsDirectory: string;
	/** The server's address, which is the engine's `baseUrl` too. */
	readonly url: string;
	send(request: Sent): Promise<Answer>;
	tenant(config?: object): Promise<{ domain: Domain; apiKey: string; auth: Record<string, string> }>;
	serviceAuth(): Promise<Record<string, string>>;
	close(): Promise<void>;
};

export const adminKey = "admin-key-of-the-tests";
/** Imports are noted, and never fetched. */
const noImports: ImportSource = {
	open: async () => Promise.reject(new Error("nothing is fetched here")),
	refusal: (url) => (url.startsWith("http") ? null : "must be a URL of http or https"),
	close: async () => undefined,
};
const noWebhooks: WebhookTransport = {
	send: async () => ({ status: 200, error: null }),
	refusal: () => null,
	close: async () => undefined,
};

/** An engine on PostgreSQL and the disk behind a real server, with time standing still. */
export async function openService(
	overrides: Partial<HttpOptions> = {},
	adapters: (made: {
		database: Database;
		databaseUrl: string;
		clock: FakeClock;
		url: string;
	}) => Partial<EngineOptions> | Promise<Partial<EngineOptions>> = () => ({}),
): Promise<Service> {
	const {
		database,
		url: databaseUrl,
		close: closeDatabase,
	} = await openEmptiedDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	const directory = await mkdtemp(join(tmpdir(), "reelmill-http-"));
	const spoolDirectory = await mkdtemp(join(directory, "spool-"));
	const clock = createFakeClock();
	const logger = createRecordingLogger();
	const server = guardServer(createServer(), { logger });
	const url = await listen(server);
	const engineOptions: EngineOptions = {
		database,
		clock,
		logger,
		baseUrl: url,
		version: "1.2.3",
		uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
		outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
		webhookTransport: noWebhooks,
		importSource: noImports,
		importsAtOnce: 0,
		masterKey: new Uint8Array(32).fill(7),
		...(await adapters({ database, databaseUrl, clock, url })),
	};
	const engine = createEngine(engineOptions);
	const options: HttpOptions = { adminKey, spoolDirectory, ...overrides };
	const listener = createNodeListener(engine, options);
	server.on("request", listener);
	let count = 0;
	return {
		engine,
		database,
		options,
		engineOptions,
		listener,
		clock,
		logger,
		spoolDirectory,
		outputsDirectory: join(directory, "outputs"),
		url,
		send: (request) => send(url, request),
		async tenant(config) {
			const { domain, api_key } = await engine.domains.create({ slug: `tenant-${count++}` });
			return {
				domain: config ? await engine.domains.updateConfig(domain.id, config) : domain,
				apiKey: api_key,
				auth: bearer(api_key),
			};
		},
		async serviceAuth() {
			const { secret } = await engine.accounts.ensure({ name: "worker" });
			return bearer((await engine.accounts.issueToken({ name: "worker", secret })).token);
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
			await engine.stop();
			await closeDatabase();
			await rm(directory, { recursive: true, force: true });
		},
	};
}

/** Listens on a port that the system chooses, and answers the address. */
export async function listen(server: Server): Promise<string> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Initiates an upload through the API. */
export async function initiate(
	service: Service,
	auth: Record<string, string>,
	input: Partial<CreateVideo> = {},
): Promise<CreatedVideo> {
	const answer = await service.send({
		method: "POST",
		path: "/v1/videos",
		headers: auth,
		json: { content_type: "video/mp4", file_size: 10, ...input },
	});
	if (answer.status !== 201) throw new Error(`initiate answered ${answer.status}: ${answer.text}`);
	return answer.json as CreatedVideo;
}

/** A video whose ten bytes are uploaded, and the job that a worker claimed for it. */
export async function claimed(
	service: Service,
	auth: Record<string, string>,
	input: Partial<CreateVideo> = {},
): Promise<Job> {
	const { video, upload } = await initiate(service, auth, input);
	const principal = await service.engine.uploads.authenticate(`Bearer ${upload.token}`);
	await service.engine.uploads.create(principal, { videoId: video.id, length: 10 });
	await service.engine.uploads.append(principal, video.id, 0, once("0123456789"));
	return service.engine.jobs.claimById(
		{ accountId: "00000000-0000-4000-8000-000000000000", name: "worker" },
		video.id,
		{ worker: "w" },
	);
}

export async function* once(bytes: string | Uint8Array): AsyncGenerator<Uint8Array> {
	yield typeof bytes === "string" ? Buffer.from(bytes) : bytes;
}

export const completion = (lock: string, files: readonly string[]) => ({
	lock,
	outputs: { files: [...files], renditions: [] },
	media: { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled" as const, language: null },
});
