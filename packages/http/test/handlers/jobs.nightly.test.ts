import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import type { Job } from "@reelmill/contracts";
import { playlistOf } from "@reelmill/engine/testing";
import { createNodeListener } from "@reelmill/http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { claimed, completion, initiate, listen, openService, type Service } from "../support/open-service.ts";
import { type Answer, answerOf, open, type Sent } from "../support/send.ts";
import { offsetType, tusFor } from "../support/tus.ts";
import { forge, zipOf } from "../support/zip.ts";

let service: Service;
let auth: Record<string, string>;
let worker: Record<string, string>;
beforeAll(async () => {
	service = await openService({ archiveBytes: 100_000 });
	({ auth } = await service.tenant());
	worker = await service.serviceAuth();
});
afterAll(() => service.close());

const outputs = { "hls/master.m3u8": playlistOf(1), "web.mp4": "mp4", "og.jpg": "jpg" };
const unknown = "00000000-0000-4000-8000-000000000000";
const put = (job: Job, body: Uint8Array, more: Partial<Sent> = {}) =>
	service.send({
		method: "PUT",
		path: `/internal/v1/jobs/${job.id}/outputs?lock=${job.lock}`,
		body,
		...more,
		headers: { ...worker, "content-type": "application/zip", ...more.headers },
	});
const post = (path: string, json: unknown) =>
	service.send({ method: "POST", path: `/internal/v1/jobs/${path}`, headers: worker, json });
const source = (id: string, headers: Record<string, string> = {}) =>
	service.send({ path: `/internal/v1/jobs/${id}/source`, headers: { ...worker, ...headers } });
function expectError(answer: Answer, status: number, error: string) {
	expect({ status: answer.status, json: answer.json }).toMatchObject({
		status,
		json: { error, message: expect.any(String) },
	});
}

describe("a worker over HTTP", () => {
	it("signs in, takes a job, fetches its source, delivers and completes", async () => {
		const { service_account, secret } = await service.engine.accounts.create({ name: "http-worker" });
		expect(service_account.name).toBe("http-worker");
		const token = await service.send({
			method: "POST",
			path: "/internal/v1/token",
			json: { name: "http-worker", secret },
		});
		expect(token).toMatchObject({ status: 200, json: { token_type: "Bearer" } });
		expectError(
			await service.send({
				method: "POST",
				path: "/internal/v1/token",
				json: { name: "http-worker", secret: "wrong" },
			}),
			401,
			"invalid_credentials",
		);

		expect(await post("claim", { worker: "w" })).toMatchObject({ status: 204, text: "" });
		const created = await initiate(service, auth);
		await tusFor(service.url, created).create({ headers: offsetType, body: "0123456789" });
		const taken = await post("claim", { worker: "w" });
		expect(taken).toMatchObject({ status: 200, json: { id: created.video.id, kind: "video", attempt: 1 } });
		const job = taken.json as Job;
		expect(await post(`${job.id}/heartbeat`, { lock: job.lock, progress: 10 })).toMatchObject({
			status: 200,
			json: { lock_expires_at: expect.any(String) },
		});
		expect(await source(job.id)).toMatchObject({
			status: 200,
			text: "0123456789",
			headers: { "content-type": "video/mp4", "accept-ranges": "bytes" },
		});
		expect(await put(job, await zipOf(outputs))).toMatchObject({ status: 204, text: "" });
		expectError(await post(`${job.id}/complete`, completion(job.lock, ["none.mp4"])), 409, "outputs_incomplete");
		expect(await post(`${job.id}/complete`, completion(job.lock, Object.keys(outputs)))).toMatchObject({
			status: 200,
			json: { id: job.id, state: "available" },
		});
		expect((await service.send({ path: `/v1/videos/${job.id}`, headers: auth })).json).toMatchObject({
			state: "available",
			progress: 100,
		});
		expectError(await source(job.id), 404, "file_not_found");
	});

	it("claims one certain job, and gives it up", async () => {
		const job = await claimed(service, auth);
		expectError(await post(`${job.id}/claim`, { worker: "w" }), 409, "video_not_claimable");
		expectError(
			await post(`${job.id}/fail`, { lock: unknown, reason: "invalid_media", retryable: false }),
			403,
			"not_lock_holder",
		);
		expect(await post(`${job.id}/fail`, { lock: job.lock, reason: "invalid_media", retryable: false })).toMatchObject({
			status: 200,
			json: { state: "failed" },
		});
		expectError(await post(`${job.id}/heartbeat`, { lock: job.lock, progress: 1 }), 409, "invalid_video_state");
	});

	it("gets ranges of the source, and 416 outside it", async () => {
		const job = await claimed(service, auth);
		expect(await source(job.id, { range: "bytes=2-4" })).toMatchObject({
			status: 206,
			text: "234",
			headers: { "content-range": "bytes 2-4/10", "content-length": "3" },
		});
		const outside = await source(job.id, { range: "bytes=10-" });
		expectError(outside, 416, "bad_request");
		expect(outside.headers["content-range"]).toBe("bytes */10");
		expectError(await source("x"), 400, "invalid_video_id");
		expectError(await source(unknown), 404, "video_not_found");
	});
});

describe("URLs for outputs", () => {
	it("are asked for within the bounds of an archive, and null where the video is on the local disk", async () => {
		const job = await claimed(service, (await service.tenant()).auth);
		const ask = (files: object[], lock = job.lock) => post(`${job.id}/output-urls`, { lock, files });
		expect(await ask([{ path: "web.mp4", size: 100_000 }])).toMatchObject({
			status: 200,
			json: { data: null, storage_owner: "platform" },
		});
		expectError(await ask([{ path: "web.mp4", size: 100_001 }]), 413, "zip_too_large");
		expectError(await ask([{ path: "../web.mp4", size: 1 }]), 400, "invalid_zip_entry");
		expectError(await ask([{ path: "web.mp4", size: 1 }], unknown), 403, "not_lock_holder");
		expectError(await ask([]), 400, "validation_error");
		const many = Array.from({ length: 501 }, (_, index) => ({ path: `frames/${index}.jpg`, size: 1 }));
		expectError(await ask(many), 400, "validation_error");
		expect((await ask(many.slice(1))).status).toBe(200);
	});
});

describe("an archive of outputs", () => {
	it("replaces the one before, whole", async () => {
		const job = await claimed(service, (await service.tenant()).auth);
		await put(job, await zipOf({ ...outputs, "old.mp4": "old" }));
		await put(job, await zipOf(outputs));
		expectError(await post(`${job.id}/complete`, completion(job.lock, ["old.mp4"])), 409, "outputs_incomplete");
	});

	it("is refused with a stale lock, without a lock, or of another type", async () => {
		const job = await claimed(service, (await service.tenant()).auth);
		const zip = await zipOf(outputs);
		const to = (query: string) => ({ path: `/internal/v1/jobs/${job.id}/outputs${query}` });
		expectError(await put({ ...job, lock: unknown }, zip), 403, "not_lock_holder");
		expectError(await put(job, zip, to("")), 400, "validation_error");
		expectError(await put(job, zip, to("?lock=x")), 400, "validation_error");
		expectError(await put(job, zip, to(`?lock=${job.lock}&more=1`)), 400, "validation_error");
		expectError(await put(job, zip, { headers: { "content-type": "application/json" } }), 415, "bad_request");
		expectError(await put({ ...job, id: "x" }, zip), 400, "invalid_video_id");
		expectError(await put({ ...job, id: unknown }, zip), 404, "video_not_found");
	});

	it("that is evil, too large or broken stores nothing, and no file is left behind", async () => {
		const job = await claimed(service, (await service.tenant()).auth);
		expectError(
			await put(job, forge(await zipOf({ ...outputs, "aa/evil.txt": "x" }), "aa/evil.txt", "../evil.txt")),
			400,
			"invalid_zip_entry",
		);
		expectError(await put(job, await zipOf({ ...outputs, "big.mp4": Buffer.alloc(100_000) })), 413, "zip_too_large");
		expectError(await put(job, Buffer.alloc(17_000_000)), 413, "zip_too_large");
		expectError(
			await put(job, Buffer.alloc(17_000_000), { headers: { "transfer-encoding": "chunked" } }),
			413,
			"zip_too_large",
		);
		expectError(await put(job, Buffer.from("no zip")), 400, "bad_request");
		expectError(
			await post(`${job.id}/complete`, completion(job.lock, Object.keys(outputs))),
			409,
			"outputs_incomplete",
		);
		expect(await readdir(service.spoolDirectory)).toEqual([]);
	});

	it("has as many entries as its job's plan and longest duration ask for; one with more stores nothing", async () => {
		const tenantOf = async (config: object) => (await service.tenant(config)).auth;
		const pictures = (folder: string, count: number) =>
			Object.fromEntries(
				Array.from({ length: count }, (_, number) => [`${folder}/${String(number + 1).padStart(5, "0")}.jpg`, ""]),
			);
		const plain = await claimed(service, await tenantOf({}));
		const moderated = await claimed(service, await tenantOf({ moderation_frames: true, max_duration_seconds: 900 }));
		const short = await claimed(service, await tenantOf({ moderation_frames: true, max_duration_seconds: 60 }));
		const stored = async () => (await readdir(service.outputsDirectory, { recursive: true })).length;
		const before = await stored();
		for (const [job, frames] of [
			[plain, 450],
			[moderated, 2500],
			[short, 450],
		] as const) {
			const answer = await put(job, await zipOf({ ...outputs, ...pictures("frames", frames) }));
			expectError(answer, 400, "invalid_zip_entry");
			expect(answer.json).toMatchObject({
				message: expect.stringMatching(/^The archive has \d+ entries; its job has at most \d+\.$/),
			});
		}
		expect(await stored()).toBe(before);
		// What the longest video has: a key frame every two seconds, and more than one sheet.
		const longest = {
			...outputs,
			"storyboard.vtt": "WEBVTT",
			"transcript.vtt": "WEBVTT",
			...pictures("storyboard", 5),
		};
		expect((await put(plain, await zipOf(longest))).status).toBe(204);
		expect((await put(moderated, await zipOf({ ...longest, ...pictures("frames", 451) }))).status).toBe(204);
		expect((await put(short, await zipOf({ ...longest, ...pictures("frames", 31) }))).status).toBe(204);
	});

	it("that stops coming is given up after the idle time", async () => {
		const job = await claimed(service, (await service.tenant()).auth);
		const server = createServer(createNodeListener(service.engine, { ...service.options, idleTimeoutSeconds: 1 }));
		const request = open(await listen(server), {
			method: "PUT",
			path: `/internal/v1/jobs/${job.id}/outputs?lock=${job.lock}`,
			headers: { ...worker, "content-type": "application/zip", "content-length": "1000" },
		});
		const answer = answerOf(request);
		request.write("PK");
		expectError(await answer, 408, "bad_request");
		expect(await readdir(service.spoolDirectory)).toEqual([]);
		server.closeAllConnections();
		server.close();
	});
});
