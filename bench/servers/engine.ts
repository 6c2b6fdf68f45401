import { mkdtemp } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, systemClock } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

/** Keys that call in turn: 200 calls a minute for each, so many that none is refused. */
const keyCount = 4000;

const { database } = await openTestDatabase();
const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
const silent = { ...createRecordingLogger(), debug: () => undefined };
const baseUrl = "http://127.0.0.1";
const engine = createEngine({
	database,
	uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
	outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
	webhookTransport: { send: async () => ({ status: 200, error: null }), refusal: () => null, close: async () => undefined },
	logger: silent,
	masterKey: new Uint8Array(32),
	rateLimiter: createPostgresRateLimiter({ database, clock: systemClock }),
	baseUrl,
});
await engine.start();
const { domain, api_key } = await engine.domains.create({ slug: "bench" });
const principal = await engine.keys.authenticate(`Bearer ${api_key}`);
const { video } = await engine.videos.create(principal, { content_type: "video/mp4", file_size: 1 });
const keys = await Promise.all(Array.from({ length: keyCount }, () => engine.domains.addKey(domain.id)));
const server = createServer(createNodeListener(engine, { baseUrl, logger: silent, version: "0" })).listen(0, "127.0.0.1", () => {
	const requests = keys.map((key) => ({ path: `/v1/videos/${video.id}`, headers: { authorization: `Bearer ${key.api_key}` } }));
	console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }));
});
