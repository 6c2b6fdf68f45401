import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { CreatedVideo, Video } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { runServer } from "./support/running-server.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

async function makeClip(directory: string): Promise<Buffer<ArrayBuffer>> {
	const path = join(directory, "clip.mp4");
	const picture = ["-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25:duration=1"];
	await promisify(execFile)("ffmpeg", ["-v", "error", ...picture, "-c:v", "libx264", "-preset", "ultrafast", path]);
	return readFile(path);
}

it("transcodes also after strangers have used up all that its address may do", async () => {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-embedded-worker-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(database.close);
	const start = async (workers: string) => {
		const server = await runServer(directory, database.url, { EMBEDDED_WORKERS: workers });
		cleanUp.push(async () => {
			server.child.kill("SIGTERM");
			await server.ended;
		});
		return server;
	};

	// All who come through a proxy that isn't trusted come from one address, which here is the worker's, too. The counts
	// lie in the database.
	const { url: front } = await start("0");
	const post = (path: string, body: object) =>
		fetch(`${front}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: JSON.stringify(body),
		});
	const strangers = [
		() => post("/internal/v1/token", { name: "stranger", secret: "a guess" }),
		() => fetch(`${front}/internal/v1/jobs/claim`, { method: "POST", headers: { authorization: "Bearer guess" } }),
		() => fetch(`${front}/admin/v1/stats`, { headers: { authorization: "Bearer guess" } }),
		() => fetch(`${front}/v1/domain`),
	];
	const last = await Promise.all(
		strangers.map(async (ask) => {
			let status = 0;
			for (let count = 0; count < 210 && status !== 429; count++) ({ status } = await ask());
			return status;
		}),
	);
	expect(last.slice(0, 1).concat(last.slice(-1))).toEqual([429, 429]);

	const { url, auth } = await start("1");
	const headers = { ...auth, "content-type": "application/json" };
	await fetch(`${url}/v1/domain/config`, {
		method: "PATCH",
		headers,
		body: JSON.stringify({ renditions: ["h264_720"] }),
	});
	const clip = await makeClip(directory);
	const body = JSON.stringify({ content_type: "video/mp4", file_size: clip.length });
	const { video, upload } = (await (
		await fetch(`${url}/v1/videos`, { method: "POST", headers, body })
	).json()) as CreatedVideo;
	const creation = {
		"tus-resumable": "1.0.0",
		...offsetType,
		"upload-length": String(clip.length),
		"upload-metadata": metadata(video.id),
	};
	const created = await fetch(upload.endpoint, {
		method: "POST",
		headers: { ...creation, authorization: `Bearer ${upload.token}` },
		body: clip,
	});
	expect(created.status).toBe(201);
	const stateNow = async () =>
		((await (await fetch(`${url}/v1/videos/${video.id}`, { headers: auth })).json()) as Video).state;
	await expect.poll(stateNow, { interval: 500 }).toBe("available");
});
