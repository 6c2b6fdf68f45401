import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createReelmill, createReelmillAdmin, type Reelmill } from "@reelmill/node";
import { openTestDatabase, type TestDatabase } from "@reelmill/postgres/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../scripts/programs/program.ts";
import { makeShortClip } from "../../plain-html/test/support/short-clip.ts";

const source = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));
const adminKey = "an-admin-key-of-at-least-32-characters";
const workerSecret = "a-secret-that-servers-and-workers-share";
let directory: string;
let database: TestDatabase;
let baseUrl: string;
let clip: string;
/** Its encode takes much longer than this test: it is always stopped in the middle. */
let longClip: string;
beforeAll(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-embedding-"));
	const template = process.env.REELMILL_TEST_DATABASE_TEMPLATE;
	database = await openTestDatabase({ serverUrl: process.env.REELMILL_TEST_DATABASE_URL, template });
	baseUrl = `http://127.0.0.1:${await freePort()}`;
	clip = await makeShortClip(directory);
	longClip = join(directory, "long.mp4");
	const looped = ["-v", "error", "-stream_loop", "80", "-i", clip, "-c", "copy", longClip];
	await promisify(execFile)("ffmpeg", looped);
});
afterAll(async () => {
	await database.close();
	await rm(directory, { recursive: true });
});

/** Starts one of the example's programs. Its job has no grace: it is given back at once. */
function start(program: string, environment: NodeJS.ProcessEnv = {}) {
	const { PATH } = process.env;
	const given = { PATH, PORT: new URL(baseUrl).port, BASE_URL: baseUrl, GRACE_SECONDS: "0", ...environment };
	const child = spawn(process.execPath, [source(program)], { cwd: directory, env: given });
	let output = "";
	for (const stream of [child.stdout, child.stderr])
		stream.on("data", (bytes) => {
			output += bytes;
		});
	return {
		output: () => output,
		sigterm: () => child.kill("SIGTERM"),
		async ended(): Promise<number | null> {
			if (child.exitCode === null) await once(child, "exit");
			return child.exitCode;
		},
	};
}

async function startService(environment: NodeJS.ProcessEnv = {}) {
	const secrets = { MASTER_KEY: "17".repeat(32), ADMIN_KEY: adminKey };
	const service = start("main.ts", {
		...secrets,
		DATABASE_URL: database.url,
		DIRECTORY: join(directory, "videos"),
		...environment,
	});
	await expect.poll(service.output).toContain(`${baseUrl}\n`);
	return service;
}

/** Begins a creation of a video, of which half of the body is sent. Resolves once the server has the request. */
async function beginCreation(apiKey: string) {
	const body = JSON.stringify({ content_type: "video/mp4", file_size: 1000 });
	const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", connection: "close" };
	const call = request(`${baseUrl}/v1/videos`, {
		method: "POST",
		headers: { ...headers, "content-length": body.length },
	});
	call.write(body.slice(0, 10));
	const [socket] = await once(call, "socket");
	if (socket.connecting) await once(socket, "connect");
	await fetch(`${baseUrl}/hello`); // it came after the head
	return async (): Promise<number | undefined> => {
		call.end(body.slice(10));
		const [response] = await once(call, "response");
		await text(response);
		return response.statusCode;
	};
}

const isWorkedOn = async (tenant: Reelmill, id: string): Promise<boolean> =>
	["locked", "encoding"].includes((await tenant.videos.get(id)).state);

it("goes from an upload to its keyed playback, stops in order, and goes on where it was", async () => {
	const first = await startService();
	expect(await (await fetch(`${baseUrl}/hello`)).text()).toBe("my own\n");
	const apiKey = /shown only now: (ek_\S+)/.exec(first.output())?.[1] ?? "";
	const tenant = createReelmill({ baseUrl, apiKey });
	await tenant.domain.updateConfig({ renditions: ["h264_720"] });
	const { id } = await tenant.videos.upload(clip, { visibility: "private" });
	const { outputs } = await tenant.videos.wait(id, { intervalSeconds: 0.2 });
	await expect.poll(first.output).toContain("event video.ready");
	const url = outputs?.hls_url ?? "";
	expect((await fetch(url)).status).toBe(401);
	const { playback_key } = await tenant.playbackKeys.create({ viewer_ref: "ada", video_ids: [id] });
	const playlist = await fetch(url, { headers: { authorization: `Bearer ${playback_key}` } });
	expect(await playlist.text()).toContain("#EXT-X-STREAM-INF");

	await tenant.domain.updateConfig({ renditions: ["h264_720", "av1_720"] });
	const { id: long } = await tenant.videos.upload(longClip, {});
	await expect.poll(() => isWorkedOn(tenant, long)).toBe(true);
	const finishCreation = await beginCreation(apiKey);
	first.sigterm();
	const isClosed = () =>
		fetch(`${baseUrl}/hello`).then(
			() => false,
			() => true,
		);
	await expect.poll(isClosed).toBe(true);
	expect(await finishCreation()).toBe(201);
	expect(await first.ended()).toBe(0);

	const second = await startService({ WORKER_SECRET: workerSecret });
	expect(second.output()).not.toContain("shown only now");
	expect(await tenant.videos.get(long)).toMatchObject({ state: "queued" });
	const worker = start("worker.ts", { WORKER_SECRET: workerSecret });
	await expect.poll(() => isWorkedOn(tenant, long)).toBe(true);
	worker.sigterm();
	expect(await worker.ended()).toBe(0);
	expect(await tenant.videos.get(long)).toMatchObject({ state: "queued" });
	expect((await createReelmillAdmin({ baseUrl, adminKey }).domains.page()).data.map(({ slug }) => slug)).toContain(
		"main",
	);
	second.sigterm();
	expect(await second.ended()).toBe(0);
});

it("stands in the guide as it is", async () => {
	const [guide, ...programs] = await Promise.all(
		[
			fileURLToPath(new URL("../../../docs/guides/embedding.md", import.meta.url)),
			source("main.ts"),
			source("worker.ts"),
		].map((file) => readFile(file, "utf8")),
	);
	for (const program of programs) expect(guide).toContain(`\`\`\`ts\n${program}\`\`\``);
});
