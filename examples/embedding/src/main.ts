import { createServer } from "node:http";
import type { ReceivedEvent } from "@reelmill/contracts";
import { createEngine, type WebhookTransport } from "@reelmill/engine";
import { createNodeListener, guardServer } from "@reelmill/http";
import { checkTools } from "@reelmill/media";
import { createImportSource, createWebhookTransport } from "@reelmill/outbound";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";
import { createWorker } from "@reelmill/worker";

const { DATABASE_URL, MASTER_KEY, ADMIN_KEY, WORKER_SECRET, PATH } = process.env;
const { PORT = "8787", DIRECTORY = "./videos", GRACE_SECONDS = "10" } = process.env;
const local = `http://127.0.0.1:${PORT}`;
const { BASE_URL = local } = process.env; // the address that clients use
if (!DATABASE_URL || !MASTER_KEY || !ADMIN_KEY) throw new Error("Set DATABASE_URL, MASTER_KEY and ADMIN_KEY.");
const logger = console;

// Events: those of the domain below come to `onEvent`, those of other domains go to their addresses.
const here = "https://here.invalid/events";
const domainId = Promise.withResolvers<string>();
const outside = createWebhookTransport({ allow: [] });
const webhookTransport: WebhookTransport = {
	...outside,
	prepare: async (url) => (url === here ? undefined : outside.prepare?.(url)),
	async send(request, signal) {
		if (request.url !== here) return outside.send(request, signal);
		try {
			await onEvent(JSON.parse(Buffer.from(request.body).toString()));
			return { status: 204, error: null };
		} catch (error) {
			logger.error(error);
			return { status: 500, error: "status_500" }; // the event comes again later
		}
	},
};
async function onEvent(event: ReceivedEvent): Promise<void> {
	if (event.domain_id !== (await domainId.promise)) return;
	logger.info(`event ${event.type} ${event.id}`); // the same id may come twice
}

// Videos are fetched from addresses through the same guard: no private address is reached.
const importSource = createImportSource({ allow: [] });

// The engine, over a database and a disk. `start` brings the schema up to date.
const database = createPostgresDatabase({ url: DATABASE_URL, logger });
const engine = createEngine({
	database,
	uploads: createLocalUploadStore({ directory: `${DIRECTORY}/uploads` }),
	outputs: createLocalObjectStorage({ directory: `${DIRECTORY}/outputs` }),
	storageMark: createLocalStorageMark({ directory: DIRECTORY }),
	webhookTransport,
	importSource,
	masterKey: Buffer.from(MASTER_KEY, "hex"), // 32 bytes, for instance of `openssl rand -hex 32`
	baseUrl: BASE_URL,
	logger,
});
await engine.start();

// A tenant: one domain, whose key is shown when it is made.
const found = await engine.domains.findBySlug("main");
const made = found ? null : await engine.domains.create({ slug: "main" });
if (made) logger.info(`The domain's key, shown only now: ${made.api_key}`);
const { domain } = made ?? { domain: found as NonNullable<typeof found> };
if (domain.config.webhook_url !== here)
	await engine.domains.updateConfig(domain.id, { webhook_url: here, webhook_secret: `whsec_${crypto.randomUUID()}` });
domainId.resolve(domain.id);

// A worker in this process; with WORKER_SECRET, workers run in processes of their own.
const name = "worker";
if (WORKER_SECRET) await engine.accounts.keep({ name, secret: WORKER_SECRET });
const worker = WORKER_SECRET
	? null
	: createWorker({
			apiUrl: local,
			name,
			issueToken: (await engine.accounts.ensure({ name })).issueToken,
			workDirectory: `${DIRECTORY}/work`,
			tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, PATH),
			graceSeconds: Number(GRACE_SECONDS),
			logger,
		});

// Your own http server.
const draining = new AbortController();
const listener = createNodeListener(engine, { adminKey: ADMIN_KEY, draining: draining.signal });
const server = createServer((request, response) => {
	if (request.url === "/hello") response.end("my own\n");
	else listener(request, response);
});
guardServer(server, { logger }).listen(Number(PORT), "127.0.0.1", () => {
	worker?.start();
	logger.info(BASE_URL);
});

async function stop(): Promise<void> {
	draining.abort(); // workers elsewhere that wait for a job are answered
	await worker?.stop(); // a running job ends within the grace, or is given back through the server
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeIdleConnections();
	setTimeout(() => server.closeAllConnections(), 25_000).unref();
	await closed; // no request comes in any more
	await listener.settled(); // and none is under way
	await engine.stop(); // then what they used, from the top down
	await webhookTransport.close();
	await importSource.close();
	await database.close();
}
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());
