import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Video } from "@reelmill/contracts";
import { createReelmill, createReelmillAdmin, verifyWebhook } from "@reelmill/node";
import { createTestReelmill, type TestReelmill } from "@reelmill/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

let test: TestReelmill;
let secret: string;
let told: { type: string; data: { video: Video } }[];
let answer: () => Response | Promise<Response>;

async function handle(request: Request): Promise<Response> {
	const payload = await request.text();
	await verifyWebhook({ payload, headers: request.headers, secret });
	told.push(JSON.parse(payload));
	return answer();
}
const types = () => told.map(({ type }) => type);

beforeAll(async () => {
	test = await createTestReelmill({ webhooks: handle, config: { max_concurrent_pending_per_uploader: 2 } });
	secret = test.webhookSecret;
});
afterAll(() => test.close());
beforeEach(() => {
	told = [];
	answer = () => new Response();
});

const clip = { content_type: "video/mp4", file_size: 1000 };
const create = async (input = {}) => (await test.reelmill.videos.create({ ...clip, ...input })).video.id;

it("a test's service fetches a video from a server of the test, before it is settled", async () => {
	const bytes = Buffer.concat([Buffer.from("00000018667479706d703432", "hex"), Buffer.alloc(5000)]);
	const origin = createServer((_, response) => response.setHeader("content-type", "video/mp4").end(bytes)).listen(0);
	await once(origin, "listening");
	const url = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/clip.mp4`;
	const { id } = await test.reelmill.imports.create({ url, title: "Fetched" });
	await test.settled();
	const fetched = await test.reelmill.imports.get(id);
	expect(fetched).toMatchObject({ status: "done", title: "Fetched", bytes_received: bytes.length });
	expect(await test.finish(fetched.video_id ?? "")).toMatchObject({ state: "available" });
	origin.close();
});

describe("a video of a test", () => {
	it("becomes available with what the test says of it, and the handler is told before finish resolves", async () => {
		const id = await create({ external_ref: "lesson-1" });
		const video = await test.finish(id, { durationSeconds: 7.5, width: 1920, height: 1080 });
		expect(video).toMatchObject({ state: "available", duration_seconds: 7.5, width: 1920, height: 1080 });
		expect(video).toEqual(await test.reelmill.videos.get(id));
		expect(told).toMatchObject([{ type: "video.ready", data: { video: { id, external_ref: "lesson-1" } } }]);
	});

	it("has outputs that a playback key opens, and nobody else", async () => {
		const id = await create();
		const { outputs } = await test.finish(id);
		const { playback_key: key } = await test.reelmill.playbackKeys.create({ viewer_ref: "user-1", video_ids: [id] });
		const status = async (headers: Record<string, string>) =>
			(await fetch(outputs?.hls_url as string, { headers })).status;
		expect([await status({ authorization: `Bearer ${key}` }), await status({})]).toEqual([200, 401]);
		await test.advance(86_400);
		expect(await status({ authorization: `Bearer ${key}` })).toBe(401);
	});

	it("has every output that its domain asks for, and a transcript", async () => {
		await test.reelmill.domain.updateConfig({ outputs: { dash: true }, moderation_frames: true });
		const spoken = await test.finish(await create({ transcript: true }), { transcript: "WEBVTT\n", language: "de" });
		expect(spoken).toMatchObject({ transcript_status: "available", outputs: { dash_url: expect.any(String) } });
		expect(await test.reelmill.videos.transcript(spoken.id)).toMatchObject({ language: "de" });
		const silent = await test.finish(await create({ transcript: true }), { transcript: null });
		expect(silent.transcript_status).toBe("no_speech");
		await test.reelmill.domain.updateConfig({ outputs: { dash: false }, moderation_frames: false });
	});

	it("may be uploaded by the test itself, and is then finished as it is", async () => {
		const { id } = await test.reelmill.videos.upload(new Blob(["0123456789"], { type: "video/mp4" }));
		expect(await test.finish(id)).toMatchObject({ state: "available", file_size: 10 });
	});

	it("fails for the reason that the test gives", async () => {
		const failed = await test.fail(await create(), "duration_too_long");
		expect(failed).toMatchObject({ state: "failed", failure_reason: "duration_too_long" });
		expect(types()).toEqual(["video.failed"]);
	});

	it("gets the poster that was asked for, or none for a reason", async () => {
		const { posters } = test.reelmill;
		const id = await create();
		const { outputs } = await test.finish(id);
		expect((await posters.put(id, { atSeconds: 2, preview: true })).state).toBe("pending");
		expect((await test.finish(id)).outputs?.poster_url).toBe(`${outputs?.poster_url}?v=1`);
		expect(await posters.get(id)).toMatchObject({
			state: "available",
			at_seconds: 2,
			preview_url: expect.stringContaining("preview.webp"),
		});
		await posters.put(id, { atSeconds: 3 });
		await test.fail(id);
		expect(await posters.get(id)).toMatchObject({ state: "failed", failure_reason: "processing_failed" });
	});

	it("is refused with the service's own errors", async () => {
		const id = await create();
		await test.finish(id);
		await expect(test.finish(id)).rejects.toMatchObject({ name: "ReelmillError", code: "video_not_claimable" });
		await expect(test.finish("no-such-id")).rejects.toMatchObject({ code: "video_not_found", status: 404 });
		await expect(test.finish(await create(), { durationSeconds: 1e6 })).rejects.toMatchObject({
			code: "validation_error",
		});
		await expect(test.finish(await create({ file_size: 100_000_000 }))).rejects.toThrow("64 MiB");
	});
});

describe("limits of a test", () => {
	it("are those of the service: uploads of one uploader, and too long videos", async () => {
		const uploader_ref = "uploader-1";
		await create({ uploader_ref });
		await create({ uploader_ref });
		await expect(create({ uploader_ref })).rejects.toMatchObject({ code: "concurrent_upload_exists", status: 409 });
		await expect(create({ duration_seconds: 100_000 })).rejects.toMatchObject({ code: "duration_too_long" });
	});

	it("are given with the domain, and end with the day", async () => {
		await using small = await createTestReelmill({
			limits: { daily_upload_bytes: 1500 },
			startAt: new Date("2026-01-31T12:00:00Z"),
		});
		const { videos } = small.reelmill;
		await small.finish((await videos.create(clip)).video.id);
		await expect(videos.create(clip)).rejects.toMatchObject({ code: "upload_quota_exceeded" });
		await small.advance(12 * 3600);
		expect((await small.now()).toISOString()).toMatch(/^2026-02-01T00:00/);
		expect((await videos.create(clip)).video.state).toBe("pending_upload");
	});
});

describe("time of a test", () => {
	it("closes the window of an upload", async () => {
		const id = await create();
		await test.advance(3601);
		expect(told.filter(({ data }) => data.video.id === id)).toMatchObject([{ type: "video.expired" }]);
		expect((await test.reelmill.videos.get(id)).state).toBe("expired");
	});

	it("brings each further attempt of a webhook in its moment, signed for the moment in which it comes", async () => {
		answer = () => new Response("not now", { status: told.length < 3 ? 503 : 200 });
		await test.finish(await create());
		expect(types()).toEqual(["video.ready"]);
		await test.advance(15);
		expect(told.length).toBe(1);
		await test.advance(15);
		expect(told.length).toBe(2);
		await test.advance(3600);
		expect(told.length).toBe(3);
		const [delivery] = (await test.reelmill.webhookDeliveries.page({ limit: 1 })).data;
		expect(delivery).toMatchObject({ status: "delivered", attempt_count: 3 });
		expect(delivery?.attempts.map(({ response_status }) => response_status)).toEqual([503, 503, 200]);
		const [first = 0, second = 0, third = 0] = (delivery?.attempts ?? []).map(({ attempted_at }) =>
			Date.parse(attempted_at),
		);
		expect([second - first >= 30_000, third - second >= 120_000, third - first < 600_000]).toEqual([true, true, true]);
	});

	it("goes forwards alone", async () => {
		await expect(test.advance(-1)).rejects.toThrow("not by -1");
		await expect(test.advance(Number.NaN)).rejects.toThrow("not by NaN");
	});

	it("isn't stopped by the test's own faked timers", async () => {
		vi.useFakeTimers();
		try {
			expect((await test.finish(await create())).state).toBe("available");
			expect(types()).toEqual(["video.ready"]);
		} finally {
			vi.useRealTimers();
		}
	});
});

describe("webhooks of a test", () => {
	it("come by themselves when something else than the test changes a video", async () => {
		await test.reelmill.videos.cancel(await create());
		await expect.poll(types).toEqual(["video.cancelled"]);
	});

	it("are signed with a rotated secret too, and with the old one during its grace", async () => {
		const { webhook_secret: rotated } = await test.reelmill.domain.rotateWebhookSecret();
		await test.finish(await create());
		secret = rotated;
		await test.finish(await create());
		expect(types()).toEqual(["video.ready", "video.ready"]);
	});

	it("are signed with a secret that the test sets, and those of another domain with its own", async () => {
		secret = "whsec_set_by_the_test";
		await test.reelmill.domain.updateConfig({ webhook_secret: secret });
		await test.finish(await create());
		const admin = createReelmillAdmin({ baseUrl: test.baseUrl, adminKey: test.adminKey });
		const other = createReelmill({
			baseUrl: test.baseUrl,
			apiKey: (await admin.domains.create({ slug: "other" })).api_key,
		});
		const { webhook_url } = (await test.reelmill.domain.get()).config;
		await other.domain.updateConfig({ webhook_url, webhook_secret: "whsec_of_another" });
		secret = "whsec_of_another";
		await test.finish((await other.videos.create(clip)).video.id);
		expect(types()).toEqual(["video.ready", "video.ready"]);
		secret = "whsec_set_by_the_test";
	});

	it("note a handler that throws as one that answered 500", async () => {
		answer = () => Promise.reject(new Error("no database"));
		await test.finish(await create());
		const [delivery] = (await test.reelmill.webhookDeliveries.page({ limit: 1 })).data;
		expect(delivery?.attempts).toMatchObject([{ response_status: 500, error: "status_500" }]);
		expect((await test.reelmill.webhookDeliveries.get(delivery?.id as string)).exchanges).toMatchObject([
			{ response: { body: { text: "Error: no database" } } },
		]);
		answer = () => new Response();
		await test.advance(30);
		expect(types()).toEqual(["video.ready", "video.ready"]);
	});

	it("go to an address of this machine", async () => {
		const bodies: string[] = [];
		const server = createServer(async (request, response) => {
			bodies.push(Buffer.concat(await Array.fromAsync(request)).toString());
			response.end();
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		const webhooks = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
		const other = await createTestReelmill({ webhooks });
		const { video } = await other.reelmill.videos.create(clip);
		await other.finish(video.id);
		expect(bodies.map((body) => JSON.parse(body).type)).toEqual(["video.ready"]);
		await other.close();
		server.close();
	});
});

describe("several at once", () => {
	it("know nothing of each other, and answer nobody once they are closed", async () => {
		const [one, other] = await Promise.all([createTestReelmill(), createTestReelmill()]);
		const { video } = await one.reelmill.videos.create(clip);
		await expect(other.reelmill.videos.get(video.id)).rejects.toMatchObject({ code: "video_not_found" });
		const stranger = createReelmill({ baseUrl: other.baseUrl, apiKey: one.apiKey });
		await expect(stranger.videos.get(video.id)).rejects.toMatchObject({ code: "unauthorized" });
		const admin = createReelmillAdmin({ baseUrl: one.baseUrl, adminKey: one.adminKey });
		expect((await admin.domains.get(one.domainId)).slug).toBe("test");
		await Promise.all([one.close(), one.close(), other.close()]);
		await expect(one.finish(video.id)).rejects.toThrow("closed");
		await expect(fetch(`${one.baseUrl}/v1/health`)).rejects.toThrow();
	});
});
