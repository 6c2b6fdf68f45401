import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createReelmill } from "@reelmill/node";
import { OutcomeError } from "../failure.ts";
import { version } from "../version.ts";
import { forwardMadeUpEvents } from "./made-up-events.ts";
import { type Attempted, createPagePlane } from "./page-plane.ts";
import { keepSecrets, readSecrets } from "./secrets.ts";
import type { ServerParts } from "./server-parts.ts";

export type DevServerOptions = {
	/** Everything that the server keeps lies here. */
	directory: string;
	/** Whether the directory is thrown away at the end: then nothing is synced. */
	isTemporary: boolean;
	port: number;
	/** Where the domain's webhooks go; undefined for nowhere. */
	forward: string | undefined;
	/** The webhook secret; undefined keeps that of an earlier run, or makes one. */
	webhookSecret: string | undefined;
	/** Where programs are looked for, as in PATH. */
	searchPath: string | undefined;
	/** Called with a sentence for people: of steps, and of what goes wrong. */
	note(text: string): void;
	/** Called after each attempt of a webhook. */
	onAttempt(attempted: Attempted): void;
};

export type DevServer = {
	readonly url: string;
	readonly apiKey: string;
	readonly adminKey: string;
	readonly webhookSecret: string;
	/** Why no video is processed; null if they are. */
	readonly idle: string | null;
	/** Stops everything that was started. Resolves when no process, no port and no timer of it is left. */
	stop(): Promise<void>;
};

/** The addresses that a tenant's webhook may not have in production, and that it has here. */
const thisNetwork = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"];
const slug = "dev";

/**
 * Starts a whole service with one domain, and resolves when it answers. If something fails, everything that was started
 * is stopped again.
 * @throws {OutcomeError} in a plain sentence, when the port is taken
 */
export async function startDevServer(parts: ServerParts, options: DevServerOptions): Promise<DevServer> {
	const { directory, note, searchPath, isTemporary } = options;
	const opened: (() => unknown)[] = [];
	const stop = async () => {
		while (opened.length > 0) await opened.pop()?.();
	};
	const complain = (fields: object, message: string) => {
		const { error } = fields as { error?: unknown };
		note(error instanceof Error ? `${message}: ${error.message}` : message);
	};
	const logger = { debug() {}, info() {}, warn: complain, error: complain };
	try {
		let serve: Parameters<typeof createServer>[1] = (_request, response) => void response.writeHead(503).end();
		const server = parts.guardServer(
			createServer((request, response) => serve?.(request, response)),
			{ logger },
		);
		await new Promise<void>((resolve, reject) => {
			server.once("error", (error: NodeJS.ErrnoException) => reject(refusal(error, options.port)));
			server.listen(options.port, "127.0.0.1", resolve);
		});
		const closed = () =>
			new Promise((resolve) => {
				server.close(resolve);
				server.closeAllConnections();
			});
		opened.push(closed);
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const postgres = await parts.startEmbeddedPostgres({
			directory: join(directory, "postgres"),
			logger,
			onProgress: (step) => note(`${step}.`),
			...(searchPath !== undefined && { searchPath }),
			...(isTemporary && { settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off" } }),
		});
		opened.push(postgres.stop);
		const database = parts.createPostgresDatabase({ url: postgres.url, logger });
		opened.push(() => database.close());
		const sending = parts.createWebhookTransport({ allow: thisNetwork });
		opened.push(() => sending.close());
		const importSource = parts.createImportSource({ allow: thisNetwork });
		opened.push(() => importSource.close());
		const secrets = readSecrets(directory);
		let attempted = options.onAttempt;
		const engine = parts.createEngine({
			database,
			uploads: parts.createLocalUploadStore({ directory: join(directory, "uploads") }),
			outputs: parts.createLocalObjectStorage({ directory: join(directory, "outputs") }),
			storageMark: parts.createLocalStorageMark({ directory }),
			webhookTransport: {
				...sending,
				async send(request, signal) {
					const result = await sending.send(request, signal);
					attempted(attemptOf(request.body, result));
					return result;
				},
			},
			importSource,
			masterKey: Buffer.from(secrets.masterKey, "base64"),
			baseUrl: url,
			version,
			logger,
			console: false,
		});
		await engine.start();
		opened.push(() => engine.stop());
		const webhookSecret = options.webhookSecret ?? secrets.webhookSecret;
		const existing = await engine.domains.findBySlug(slug);
		const made = existing === null ? await engine.domains.create({ slug }) : null;
		const domain = existing ?? made?.domain;
		const apiKey = made?.api_key ?? secrets.apiKey;
		if (domain === undefined || apiKey === null)
			throw new OutcomeError("damaged", `${directory} has a domain and no key to it: choose another --data-dir.`);
		keepSecrets(directory, { ...secrets, apiKey, webhookSecret });
		await engine.domains.updateConfig(domain.id, {
			webhook_url: options.forward ?? null,
			webhook_secret: webhookSecret,
		});

		const page = createPagePlane(createReelmill({ baseUrl: url, apiKey }), url);
		attempted = (one) => {
			page.show(one);
			options.onAttempt(one);
		};
		if (options.forward !== undefined)
			opened.push(
				await forwardMadeUpEvents(engine, {
					domainId: domain.id,
					url: options.forward,
					onForwarded: ({ type, delivery_id, video_id, status, error }, body) =>
						attempted({ type, delivery_id, video_id, status, error, event: JSON.parse(body) }),
					note,
				}),
			);
		const draining = new AbortController();
		const listener = parts.createNodeListener(engine, {
			adminKey: secrets.adminKey,
			spoolDirectory: directory,
			draining: draining.signal,
		});
		serve = (request, response) => {
			if (!page.handle(request, response)) listener(request, response);
		};
		opened.push(async () => {
			await closed();
			await listener.settled();
		});
		const worker = await startWorker(parts, options, { engine, url, logger });
		if (typeof worker !== "string") opened.push(() => worker.stop());
		opened.push(() => draining.abort());
		const idle = typeof worker === "string" ? worker : null;
		return { url, apiKey, adminKey: secrets.adminKey, webhookSecret, idle, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts a worker; without ffmpeg, returns the sentence that says so. */
async function startWorker(
	parts: ServerParts,
	{ directory, searchPath }: DevServerOptions,
	{
		engine,
		url,
		logger,
	}: {
		engine: ReturnType<ServerParts["createEngine"]>;
		url: string;
		logger: Parameters<ServerParts["createWorker"]>[0]["logger"];
	},
) {
	let tools: Awaited<ReturnType<ServerParts["checkTools"]>>;
	try {
		tools = await parts.checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, searchPath);
	} catch (error) {
		return (error as Error).message;
	}
	const name = "dev";
	const { issueToken } = await engine.accounts.ensure({ name });
	const workDirectory = join(directory, "work");
	const worker = parts.createWorker({ apiUrl: url, name, issueToken, workDirectory, tools, logger, graceSeconds: 0 });
	worker.start();
	return worker;
}

function attemptOf(body: Uint8Array, { status, error }: { status: number | null; error: string | null }): Attempted {
	const event = JSON.parse(Buffer.from(body).toString());
	return { type: event.type, delivery_id: event.id, video_id: event.data.video.id, status, error, event };
}

function refusal(error: NodeJS.ErrnoException, port: number): Error {
	if (error.code === "EADDRINUSE")
		return new OutcomeError("port_taken", `Port ${port} is taken by another program; --port 0 takes a free one.`);
	return new OutcomeError(error.code ?? "failed", `Port ${port} can't be opened: ${error.message}`);
}
