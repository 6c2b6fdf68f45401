import { createServer } from "node:http";
import { createEngine } from "@reelmill/engine";
import { createNodeListener, guardServer } from "@reelmill/http";
import { createWebhookTransport } from "@reelmill/outbound";
import { createPostgresDatabase } from "@reelmill/postgres";
import { createLocalObjectStorage, createLocalStorageMark, createLocalUploadStore } from "@reelmill/storage-local";

const { DATABASE_URL, MASTER_KEY, ADMIN_KEY, BASE_URL = "http://127.0.0.1:8787", DIRECTORY = "./videos" } = process.env;
if (!DATABASE_URL || !MASTER_KEY || !ADMIN_KEY) throw new Error("Set DATABASE_URL, MASTER_KEY and ADMIN_KEY.");

const logger = console;
const database = createPostgresDatabase({ url: DATABASE_URL, logger });
const webhookTransport = createWebhookTransport({ allow: [] });
const engine = createEngine({
	database,
	uploads: createLocalUploadStore({ directory: `${DIRECTORY}/uploads` }),
	outputs: createLocalObjectStorage({ directory: `${DIRECTORY}/outputs` }),
	storageMark: createLocalStorageMark({ directory: DIRECTORY }),
	webhookTransport,
	masterKey: Buffer.from(MASTER_KEY, "hex"), // 32 bytes, for instance of `openssl rand -hex 32`
	baseUrl: BASE_URL,
	logger,
});
await engine.start();

const draining = new AbortController();
const listener = createNodeListener(engine, { adminKey: ADMIN_KEY, draining: draining.signal });
const server = createServer((request, response) => {
	if (request.url === "/hello") response.end("my own\n");
	else listener(request, response);
});
guardServer(server, { logger }).listen(Number(new URL(BASE_URL).port), "127.0.0.1", () => logger.info(BASE_URL));

process.once("SIGTERM", async () => {
	draining.abort(); // workers that wait for a job are answered
	const closed = new Promise((resolve) => server.close(resolve));
	server.closeIdleConnections();
	setTimeout(() => server.closeAllConnections(), 25_000).unref();
	await closed; // no request comes in any more
	await listener.settled(); // and none is under way
	await engine.stop(); // then what they used, from the top down
	await webhookTransport.close();
	await database.close();
});
