import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type EngineOptions, type RateLimiter } from "@reelmill/engine";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { createPostgresRateLimiter } from "@reelmill/postgres";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { createLocalObjectStorage, createLocalUploadStore } from "@reelmill/storage-local";

const { database, close } = await openTestDatabase();
const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
const logger = { ...createRecordingLogger(), debug: () => undefined };
const baseUrl = "http://127.0.0.1";
const options: EngineOptions = {
	database,
	uploads: createLocalUploadStore({ directory: join(directory, "uploads") }),
	outputs: createLocalObjectStorage({ directory: join(directory, "outputs") }),
	webhookTransport: { send: async () => ({ status: 200, error: null }), refusal: () => null, close: async () => undefined },
	logger,
	masterKey: new Uint8Array(32),
	baseUrl,
};

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
	yield Buffer.from(text);
}

/** A public video with one small playlist. */
async function publish(): Promise<string> {
	const engine = createEngine(options);
	await engine.start();
	const { api_key } = await engine.domains.create({ slug: "bench" });
	const principal = await engine.keys.authenticate(`Bearer ${api_key}`);
	const { video, upload } = await engine.videos.create(principal, { content_type: "video/mp4", file_size: 1, visibility: "public" });
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: 1 });
	await engine.uploads.append(token, video.id, 0, bytes("0"));
	const { lock } = await engine.jobs.claimById({ accountId: video.id, name: "bench" }, video.id, { worker: "bench" });
	const path = "hls/master.m3u8";
	await engine.jobs.replaceOutputs(
		video.id,
		lock,
		(async function* () {
			for (const one of [path, "web.mp4", "og.jpg"]) yield { path: one, bytes: bytes("#EXTM3U\n") };
		})(),
	);
	await engine.jobs.complete(video.id, {
		lock,
		outputs: { files: [path, "web.mp4", "og.jpg"], renditions: [] },
		media: { duration_seconds: 1, width: 1280, height: 720, transcript_status: "disabled", language: null },
	});
	await engine.stop();
	return `/videos/${video.id}/${path}`;
}

async function serve(rateLimiter: RateLimiter): Promise<string> {
	const engine = createEngine({ ...options, rateLimiter });
	const server = createServer(createNodeListener(engine, { baseUrl, logger, version: "0", trustedProxies: ["127.0.0.1"] }));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const path = await publish();
const uncounted = await serve({ take: async () => ({ allowed: true }) });
const counted = await serve(createPostgresRateLimiter({ database }));
process.once("SIGTERM", async () => {
	await close();
	await rm(directory, { recursive: true, force: true });
	process.exit();
});
console.log(JSON.stringify({ path, uncounted, counted }));
