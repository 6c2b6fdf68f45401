import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CreatedVideo } from "@reelmill/contracts";
import { openTestDatabase } from "@reelmill/postgres/testing";
import { afterEach, expect, it } from "vitest";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { runServer } from "./support/running-server.ts";
import { runTranscoder } from "./support/transcoder-process.ts";

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const step of cleanUp.splice(0).reverse()) await step();
});

const clipPath = fileURLToPath(new URL("../../../examples/demo/assets/clip.mp4", import.meta.url));
const adminKey = "an-admin-key-of-more-than-32-characters";

/** Refuses the first webhook, and takes the others. */
async function startReceiver() {
	let received = 0;
	const server = createServer((request, response) => {
		received++;
		response.statusCode = received === 1 ? 500 : 200;
		request.resume().on("end", () => response.end());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	cleanUp.push(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	});
	return { received: () => received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` };
}

async function startServer() {
	const directory = await mkdtemp(join(tmpdir(), "reelmill-request-ids-"));
	cleanUp.push(() => rm(directory, { recursive: true, force: true }));
	const database = await openTestDatabase({
		serverUrl: process.env.REELMILL_TEST_DATABASE_URL,
		template: process.env.REELMILL_TEST_DATABASE_TEMPLATE,
	});
	cleanUp.push(database.close);
	const server = await runServer(directory, database.url, {
		ADMIN_KEY: adminKey,
		WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
		WEBHOOK_SCHEDULE_SECONDS: "0,1,1,1,1,1",
		LOG_LEVEL: "debug",
	});
	cleanUp.push(async () => {
		server.child.kill("SIGTERM");
		await server.ended;
	});
	return { ...server, directory };
}

it("finds a video by one request id in the logs of the server, of its worker, and of its webhook", async () => {
	const receiver = await startReceiver();
	const { url, auth, directory, log } = await startServer();
	const call = async (method: string, path: string, body: object, more: Record<string, string> = {}) => {
		const headers = { ...auth, "content-type": "application/json", ...more };
		const answer = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify(body) });
		expect(answer.status).toBeLessThan(300);
		return answer.json();
	};
	const asAdmin = { authorization: `Bearer ${adminKey}` };
	const account = (await call("POST", "/admin/v1/service-accounts", { name: "told" }, asAdmin)) as { secret: string };
	const transcoder = runTranscoder({
		REELMILL_API_URL: url,
		REELMILL_SERVICE_NAME: "told",
		REELMILL_SERVICE_SECRET: account.secret,
		REELMILL_WORKDIR: join(directory, "work"),
		REELMILL_LOG_LEVEL: "debug",
	});
	cleanUp.push(transcoder.stop);
	const config = { webhook_url: receiver.url, webhook_secret: `whsec_${"s".repeat(40)}`, renditions: ["h264_720"] };
	await call("PATCH", "/v1/domain/config", config);

	const domain = await fetch(`${url}/v1/domain`, { headers: auth });
	const { id: domainId } = (await domain.json()) as { readonly id: string };
	const clip = await readFile(clipPath);
	const asked = { content_type: "video/mp4", file_size: clip.length };
	const request_id = "order-4711.lesson_3";
	const { video, upload } = (await call("POST", "/v1/videos", asked, { "x-request-id": request_id })) as CreatedVideo;
	const uploaded = await fetch(upload.endpoint, {
		method: "POST",
		headers: {
			"tus-resumable": "1.0.0",
			...offsetType,
			"upload-length": String(clip.length),
			"upload-metadata": metadata(video.id),
			authorization: `Bearer ${upload.token}`,
		},
		body: clip,
	});
	expect(uploaded.status).toBe(201);

	type Line = Readonly<Record<string, unknown>>;
	const named = (lines: readonly Line[], msg: string) =>
		lines.filter((line) => line.request_id === request_id && line.msg === msg);
	const ofServer = () => log() as readonly Line[];
	const ofWorker = () =>
		transcoder
			.said()
			.split("\n")
			.filter((line) => line.startsWith("{") && line.endsWith("}"))
			.map((line) => JSON.parse(line) as Line);
	await expect.poll(() => named(ofServer(), "a webhook was delivered").length).toBe(1);
	expect(receiver.received()).toBe(2);

	const requests = named(ofServer(), "request").map(({ method, path }) => `${method} ${path}`);
	expect(requests).toContain("POST /v1/videos");
	for (const action of ["heartbeat", "complete"])
		expect(requests).toContain(`POST /internal/v1/jobs/${video.id}/${action}`);
	expect(requests).toContain(`GET /internal/v1/jobs/${video.id}/source`);
	expect(requests).toContain(`PUT /internal/v1/jobs/${video.id}/outputs`);

	const job = { job: video.id, kind: "video", attempt: 1, videoId: video.id, domainId };
	// What the worker printed last may be read later than its webhook arrives.
	await expect.poll(() => named(ofWorker(), "job completed")).toEqual([expect.objectContaining(job)]);
	expect(named(ofWorker(), "job claimed")).toEqual([expect.objectContaining({ ...job, bytes: clip.length })]);
	expect(named(ofWorker(), "job in progress")).toContainEqual(expect.objectContaining(job));

	const delivery = { videoId: video.id, domainId, deliveryId: expect.any(String) };
	expect(named(ofServer(), "a webhook attempt failed")).toEqual([expect.objectContaining({ ...delivery, attempt: 1 })]);
	expect(named(ofServer(), "a webhook was delivered")).toEqual([expect.objectContaining({ ...delivery, attempt: 2 })]);
});
