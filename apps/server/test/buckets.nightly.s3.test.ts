import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import type { CreatedVideo, StorageView, Video } from "@reelmill/contracts";
import { systemClock } from "@reelmill/engine";
import { checkTools } from "@reelmill/media";
import { createGuardedFetch } from "@reelmill/outbound";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket } from "@reelmill/storage-s3/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { openService, type Service } from "../../../packages/http/test/support/open-service.ts";
import type { Answer, Sent } from "../../../packages/http/test/support/send.ts";
import { metadata, offsetType } from "../../../packages/http/test/support/tus.ts";
import { makeSource } from "../../../packages/worker/test/support/make-source.ts";

const server = inject("s3");
const allow = ["127.0.0.0/8"];
const followed: string[] = [];
const said: string[] = [];
let service: Service;
let worker: Worker;
let clip: Buffer;
let folder: string;
const guarded = createGuardedFetch({ allow });

beforeAll(async () => {
	clip = await makeSource(2);
	folder = await mkdtemp(join(tmpdir(), "reelmill-buckets-"));
	service = await openService({}, () => ({ clock: systemClock, buckets: createBucketOpener({ allow }) }));
	const { secret } = await service.engine.accounts.ensure({ name: "transcoder" });
	worker = createWorker({
		apiUrl: service.url,
		name: "transcoder",
		secret,
		workDirectory: folder,
		tools: await checkTools({ ffmpeg: "ffmpeg", ffprobe: "ffprobe" }, process.env.PATH),
		logger: service.logger,
		claimWaitSeconds: 1,
		fetchFromTenants: (input, init) => {
			followed.push(String(input));
			return guarded.fetch(input, init);
		},
	});
	worker.start();
});
afterAll(async () => {
	await worker.stop();
	await service.engine.stop();
	await service.close();
	await guarded.close();
	await rm(folder, { recursive: true });
});
beforeEach(() => {
	said.length = 0;
});

async function ask(request: Sent): Promise<Answer> {
	const answer = await service.send(request);
	said.push(inspect({ status: answer.status, headers: answer.headers, text: answer.text }));
	return answer;
}

const config = { renditions: ["h264_720"], outputs: { dash: false }, default_visibility: "public" };

/** A tenant that stores in a bucket of its own. */
async function tenant(more: object = {}) {
	const test = await createTestBucket(server);
	const { auth } = await service.tenant(config);
	const { bucket } = test.bucket;
	const profile = {
		...{ backend: "s3_tenant", endpoint: server.endpoint, region: server.region, bucket, force_path_style: true },
		...{ access_key_id: server.accessKeyId, secret_access_key: server.secretAccessKey, ...more },
	};
	const put = await ask({ method: "PUT", path: "/v1/domain/storage", headers: auth, json: profile });
	return { auth, test, profile, put };
}
type Auth = { auth: Record<string, string> };

async function upload({ auth }: Auth): Promise<CreatedVideo> {
	const json = { content_type: "video/mp4", file_size: clip.length };
	const created = (await ask({ method: "POST", path: "/v1/videos", headers: auth, json })).json as CreatedVideo;
	const headers = { authorization: `Bearer ${created.upload.token}`, "tus-resumable": "1.0.0" };
	const creation = { ...headers, "upload-length": String(clip.length), "upload-metadata": metadata(created.video.id) };
	expect((await ask({ method: "POST", path: "/uploads", headers: creation })).status).toBe(201);
	const half = Math.floor(clip.length / 2);
	for (const [offset, body] of [[0, clip.subarray(0, half)] as const, [half, clip.subarray(half)] as const]) {
		const sent = { ...headers, ...offsetType, "upload-offset": String(offset) };
		const answer = await ask({ method: "PATCH", path: `/uploads/${created.video.id}`, headers: sent, body });
		expect(answer.status).toBe(204);
	}
	return created;
}

async function available(auth: Auth["auth"], id: string): Promise<Video> {
	for (;;) {
		const video = (await service.send({ path: `/v1/videos/${id}`, headers: auth })).json as Video;
		if (video.state === "available") return video;
		if (["failed", "timeout"].includes(video.state)) throw new Error(`${video.state}: ${video.failure_reason}`);
		await systemClock.sleep(50);
	}
}
const storageOf = async ({ auth }: Auth) =>
	(await ask({ path: "/v1/domain/storage", headers: auth })).json as StorageView;
const ofVideos = (keys: readonly string[], prefix: string) => keys.every((key) => key.startsWith(prefix));

describe("a tenant's bucket on a real server", () => {
	it("takes the upload, gives it to the worker, serves the outputs, and is empty once the video is deleted", async () => {
		const mine = await tenant({ key_prefix: "videos" });
		expect(mine.put.json).toMatchObject({
			backend: "s3_tenant",
			version: 2,
			last_error: null,
			access_key_id_last4: server.accessKeyId.slice(-4),
		});
		expect(await mine.test.keys()).toEqual([]);
		followed.length = 0;
		const { video } = await upload(mine);
		const { outputs } = await available(mine.auth, video.id);
		expect(followed.every((address) => address.startsWith(`${server.endpoint}/${mine.test.bucket.bucket}/`))).toBe(
			true,
		);
		expect(followed.length).toBeGreaterThan(0);

		await expect
			.poll(async () => ofVideos(await mine.test.keys(), "videos/"), {
				message: "the raw upload goes",
			})
			.toBe(true);
		expect(await mine.test.unfinished()).toEqual([]);
		const path = new URL(outputs?.mp4_url ?? "").pathname;
		const whole = await ask({ path });
		const part = await ask({ path, headers: { range: "bytes=100-299" } });
		expect([whole.status, part.status]).toEqual([200, 206]);
		expect(whole.bytes.subarray(4, 8).toString()).toBe("ftyp");
		expect(part.bytes.equals(whole.bytes.subarray(100, 300))).toBe(true);
		expect((await ask({ path: `/videos/${video.id}/hls/master.m3u8` })).text).toContain("#EXTM3U");

		expect((await ask({ method: "DELETE", path: `/v1/videos/${video.id}`, headers: mine.auth })).status).toBe(204);
		expect(await mine.test.keys()).toEqual([]);
		await mine.test.remove();
	});

	it("sends a worker's GET of the source to an address without credentials, and answers its HEAD", async () => {
		await worker.stop();
		const mine = await tenant();
		const { video } = await upload(mine);
		const path = `/internal/v1/jobs/${video.id}/source`;
		const headers = await service.serviceAuth();
		const answer = await service.send({ path, headers });
		expect([answer.status, answer.headers["reelmill-storage-owner"], answer.headers["cache-control"]]).toEqual([
			302,
			"tenant",
			"no-store",
		]);
		const source = await fetch(answer.headers.location ?? "", { headers: { range: "bytes=10-" } });
		expect([source.status, Buffer.from(await source.arrayBuffer()).equals(clip.subarray(10))]).toEqual([206, true]);
		const head = await service.send({ method: "HEAD", path, headers });
		expect([head.status, head.headers["content-length"]]).toEqual([200, String(clip.length)]);
		await ask({ method: "DELETE", path: `/v1/videos/${video.id}`, headers: mine.auth });
		await mine.test.remove();
		worker.start();
	});
});

describe("a profile that can't work on a real server", () => {
	it.each<[string, object, string, RegExp]>([
		["a wrong secret", { secret_access_key: "not-the-secret-of-this-key" }, "write", /signature/],
		["an unknown key", { access_key_id: "NOBODY" }, "write", /doesn't know this access key/],
		["a bucket that isn't there", { bucket: "reelmill-no-such-bucket" }, "write", /no bucket of this name/],
		["an endpoint where nothing listens", { endpoint: "http://127.0.0.1:9" }, "connect", /Nothing listens/],
		[
			"a private address that the operator doesn't allow",
			{ endpoint: "http://10.1.2.3" },
			"connect",
			/may not be reached/,
		],
		["a server that isn't of S3", { endpoint: "SELF" }, "write", /./],
	])("is refused with its step, and nothing is saved: %s", async (_, wrong, step, message) => {
		const given = "endpoint" in wrong && wrong.endpoint === "SELF" ? { endpoint: service.url } : wrong;
		const mine = await tenant(given);
		expect(mine.put.status).toBe(400);
		expect(mine.put.json).toMatchObject({
			error: "storage_verification_failed",
			step,
			message: expect.stringMatching(message),
		});
		const tried = await ask({
			method: "POST",
			path: "/v1/domain/storage/verify",
			headers: mine.auth,
			json: mine.profile,
		});
		expect(tried.json).toMatchObject({ error: "storage_verification_failed", step });
		expect(await storageOf(mine)).toMatchObject({ backend: "local", version: 1 });
		expect(await mine.test.keys()).toEqual([]);
		expect(`${said} ${inspect(service.logger.entries, { depth: 20 })}`).not.toContain(mine.profile.secret_access_key);
		await mine.test.remove();
	});
});

describe("two tenants, of whom one loses its bucket", () => {
	it("the other uploads, processes, plays and deletes; the one is told why; no secret appears anywhere", async () => {
		const [broken, sound] = [await tenant(), await tenant()];
		const lost = (await upload(broken)).video;
		const path = new URL((await available(broken.auth, lost.id)).outputs?.mp4_url ?? "").pathname;
		const waiting = (
			await ask({
				method: "POST",
				path: "/v1/videos",
				headers: broken.auth,
				json: { content_type: "video/mp4", file_size: 10 },
			})
		).json as CreatedVideo;
		await broken.test.remove();

		expect((await ask({ path })).json).toMatchObject({ error: "storage_unavailable" });
		const headers = { authorization: `Bearer ${waiting.upload.token}`, "tus-resumable": "1.0.0" };
		const creation = { ...headers, "upload-length": "10", "upload-metadata": metadata(waiting.video.id) };
		expect((await ask({ method: "POST", path: "/uploads", headers: creation })).status).toBe(503);
		const refused = await ask({
			method: "POST",
			path: "/v1/videos",
			headers: broken.auth,
			json: { content_type: "video/mp4", file_size: 10 },
		});
		expect([refused.status, refused.json]).toEqual([503, expect.objectContaining({ error: "storage_unavailable" })]);
		expect((await storageOf(broken)).last_error).toMatch(/no bucket of this name/);
		expect((await ask({ method: "DELETE", path: `/v1/videos/${lost.id}`, headers: broken.auth })).status).toBe(204);

		const { video } = await upload(sound);
		const mine = await available(sound.auth, video.id);
		expect((await ask({ path: new URL(mine.outputs?.mp4_url ?? "").pathname })).status).toBe(200);
		expect((await ask({ method: "DELETE", path: `/v1/videos/${video.id}`, headers: sound.auth })).status).toBe(204);
		expect(await sound.test.keys()).toEqual([]);
		expect(await storageOf(sound)).toMatchObject({ last_error: null });
		await service.engine.sweep();

		const rows = await service.database.query({ text: "select * from reelmill.storage_profiles", values: [] });
		const words = `${said.join("\n")} ${inspect([service.logger.entries, rows], { depth: 20, showHidden: true })}`;
		expect(words).not.toContain(server.secretAccessKey);
		await sound.test.remove();
	});
});
