import cluster from "node:cluster";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine, type RateLimiter } from "@reelmill/engine";
import { createNodeListener } from "@reelmill/http";
import { createPostgresDatabase, createPostgresRateLimiter } from "@reelmill/postgres";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { openSendFile } from "@reelmill/sendfile";
import { engineOptions } from "../engine-options.ts";
import { playlist, segmentFile } from "./outputs.ts";

export type ProcessesServer = {
	readonly url: string;
	/** The processes that answer requests. */
	readonly pids: readonly number[];
	/** The process that gives them the connections; null if there is only one process. */
	readonly primary: number | null;
	readonly video: string;
	/** The headers of a tenant and of a viewer. */
	readonly tenant: string;
	readonly viewer: string;
};
type Place = { readonly directory: string; readonly databaseUrl: string };

/** Answers requests in this process. */
async function serve({ directory, databaseUrl }: Place): Promise<{ port: number; stop(): Promise<void> }> {
	const database = createPostgresDatabase({ url: databaseUrl });
	const counting = createPostgresRateLimiter({ database });
	// It counts as usual, but one client of a benchmark doesn't reach the limit.
	const rateLimiter: RateLimiter = { take: (key, limit, window) => counting.take(key, limit * 10_000, window) };
	const engine = createEngine({ ...engineOptions(database, directory), rateLimiter });
	await engine.start();
	const sendFile = await openSendFile();
	const server = createServer(
		{ keepAliveTimeout: 65_000 },
		createNodeListener(engine, { ...(sendFile !== null && { sendFile }) }),
	);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		port: (server.address() as AddressInfo).port,
		async stop() {
			server.closeAllConnections();
			await engine.stop();
			await database.close();
		},
	};
}

/** Makes a private video that plays. */
async function publish(engine: Engine): Promise<Pick<ProcessesServer, "video" | "tenant" | "viewer">> {
	async function* bytes(content: Uint8Array): AsyncGenerator<Uint8Array> {
		yield content;
	}
	const files = {
		"hls/master.m3u8": playlist,
		"media/h264_720.mp4": segmentFile,
		"web.mp4": playlist,
		"og.jpg": playlist,
	};
	const { api_key } = await engine.domains.create({ slug: "bench" });
	const principal = await engine.keys.authenticate(`Bearer ${api_key}`);
	const { video, upload } = await engine.videos.create(principal, { content_type: "video/mp4", file_size: 1 });
	const token = await engine.uploads.authenticate(`Bearer ${upload.token}`);
	await engine.uploads.create(token, { videoId: video.id, length: 1 });
	await engine.uploads.append(token, video.id, 0, bytes(Buffer.from("0")));
	const { lock } = await engine.jobs.claimById({ accountId: video.id, name: "bench" }, video.id, { worker: "bench" });
	async function* entries() {
		for (const [path, content] of Object.entries(files)) yield { path, bytes: bytes(content) };
	}
	await engine.jobs.replaceOutputs(video.id, lock, entries());
	await engine.jobs.complete(video.id, {
		lock,
		outputs: { files: Object.keys(files), renditions: [] },
		media: { duration_seconds: 38, width: 1280, height: 720, transcript_status: "disabled", language: null },
	});
	const { playback_key } = await engine.playback.createKey(principal, { viewer_ref: "bench", ttl_seconds: 86_400 });
	return { video: video.id, tenant: `Bearer ${api_key}`, viewer: `Bearer ${playback_key}` };
}

async function lead(processes: number): Promise<void> {
	const { database, url: databaseUrl, close } = await openTestDatabase();
	const directory = await mkdtemp(join(tmpdir(), "reelmill-bench-"));
	const engine = createEngine(engineOptions(database, directory));
	await engine.start();
	const published = await publish(engine);
	await engine.stop();
	let alone: Awaited<ReturnType<typeof serve>> | undefined;
	process.once("SIGTERM", async () => {
		for (const child of Object.values(cluster.workers ?? {})) child?.process.kill("SIGKILL");
		await alone?.stop();
		await close();
		await rm(directory, { recursive: true, force: true });
		process.exit();
	});
	const place: Place = { directory, databaseUrl };
	const told = (port: number, pids: number[], primary: number | null) => {
		const ready: ProcessesServer = { url: `http://127.0.0.1:${port}`, pids, primary, ...published };
		console.log(JSON.stringify(ready));
	};
	if (processes === 1) {
		alone = await serve(place);
		return told(alone.port, [process.pid], null);
	}
	cluster.schedulingPolicy = cluster.SCHED_RR;
	const pids: number[] = [];
	let port = 0;
	for (let index = 0; index < processes; index++) {
		const child = cluster.fork();
		child.send(place);
		[port] = (await once(child, "message")) as [number];
		pids.push(child.process.pid as number);
	}
	told(port, pids, process.pid);
}

// As the server does it: an engine in each process, and the connections in turn.
if (cluster.isPrimary) await lead(Number(process.argv[2]));
else process.once("message", async (place: Place) => process.send?.((await serve(place)).port));
