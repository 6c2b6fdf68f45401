import { createHash } from "node:crypto";
import {
	type Difference,
	type Job,
	type OutputUrls,
	outputSumsFile,
	renderOutputSums,
	type Video,
} from "@reelmill/contracts";
import { playlistOf } from "@reelmill/engine/testing";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { claimed, completion, once, openService, type Service } from "../support/open-service.ts";

const files: Record<string, Buffer> = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": Buffer.alloc(9_000_000, "media"),
	"web.mp4": Buffer.alloc(200_000, "web"),
	"og.jpg": Buffer.from("jpg"),
};
const paths = Object.keys(files);
const sized = (all = files) => Object.entries(all).map(([path, bytes]) => ({ path, size: bytes.length }));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

let service: Service;
let bucket: TestBucket;
let auth: Record<string, string>;
let worker: Record<string, string>;
beforeAll(async () => {
	const server = inject("s3");
	bucket = await createTestBucket(server);
	service = await openService({}, () => ({ buckets: createBucketOpener({ allow: ["127.0.0.0/8"] }) }));
	({ auth } = await service.tenant({ default_visibility: "public" }));
	worker = await service.serviceAuth();
	const { endpoint, region, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = server;
	const profile = {
		backend: "s3_tenant",
		endpoint,
		region,
		bucket: bucket.bucket.bucket,
		key_prefix: "outputs",
		access_key_id,
		secret_access_key,
	};
	expect(await service.send({ method: "PUT", path: "/v1/domain/storage", headers: auth, json: profile })).toMatchObject(
		{ status: 200 },
	);
});
afterAll(async () => {
	await service?.engine.stop();
	await service?.close();
	await bucket?.remove();
});

const post = (path: string, json: unknown) =>
	service.send({ method: "POST", path: `/internal/v1/jobs/${path}`, headers: worker, json });
async function urlsOf({ id, lock }: Job, all = files): Promise<NonNullable<OutputUrls["data"]>> {
	const answer = await post(`${id}/output-urls`, { lock, files: sized(all) });
	expect(answer).toMatchObject({ status: 200, json: { storage_owner: "tenant" } });
	return (answer.json as OutputUrls).data ?? [];
}
type Target = NonNullable<OutputUrls["data"]>[number];
const put = ({ url, headers }: Target, body: Uint8Array<ArrayBuffer>) => fetch(url, { method: "PUT", headers, body });
async function putAll(job: Job, all = files): Promise<void> {
	for (const target of await urlsOf(job, all))
		expect((await put(target, Buffer.from(all[target.path] ?? ""))).status).toBe(200);
}
const complete = ({ id, lock }: Job, declared: readonly unknown[]) => {
	const body = completion(lock, []);
	return post(`${id}/complete`, { ...body, outputs: { ...body.outputs, files: declared } });
};
const play = (id: string, path: string) => fetch(`${service.url}/videos/${id}/${path}`);
const keysOf = async ({ id }: Job) => (await bucket.keys()).filter((key) => key.includes(`/${id}/`));

it("serves just the bytes that were put, and the bucket tells of them what the delivery plane tells", async () => {
	const job = await claimed(service, auth);
	await putAll(job);
	expect(await complete(job, sized())).toMatchObject({ status: 200, json: { state: "available" } });
	const { outputs } = (await service.send({ path: `/v1/videos/${job.id}`, headers: auth })).json as Video;
	expect(outputs?.mp4_url).toBe(`${service.url}/videos/${job.id}/web.mp4`);
	const opened = createBucketOpener({ allow: [] }).open(bucket.bucket);
	for (const key of await keysOf(job)) {
		const path = key.split(`/${job.lock}/`)[1] ?? "";
		const served = await play(job.id, path);
		expect(sha256(await served.bytes())).toBe(sha256(files[path] ?? Buffer.from("no file")));
		const straight = await fetch(await opened.outputs.presign(key, { method: "GET", seconds: 60 }));
		for (const name of ["content-type", "cache-control", "content-length"])
			expect(straight.headers.get(name)).toBe(served.headers.get(name));
		await straight.body?.cancel();
	}
	expect(await keysOf(job)).toHaveLength(paths.length);
	await opened.close();
});

it("keeps the sums that a worker puts, by which a deep check finds a byte that differs in the bucket", async () => {
	const job = await claimed(service, auth);
	const sums = Buffer.from(renderOutputSums(Object.entries(files).map(([path, bytes]) => [path, sha256(bytes)])));
	const all = { ...files, [outputSumsFile]: sums };
	await putAll(job, all);
	expect(await complete(job, sized(all))).toMatchObject({ status: 200 });
	const deep = async () => {
		const found: Difference[] = [];
		for (let cursor: string | null | undefined; cursor !== null; ) {
			const step = await service.engine.check.step({ deep: true, young: true, ...(cursor && { cursor }) });
			found.push(...step.differences);
			cursor = step.cursor;
		}
		return found.filter(({ video_id }) => video_id === job.id).map(({ kind, reference }) => `${kind} ${reference}`);
	};
	expect(await deep()).toEqual([]);
	const opened = createBucketOpener({ allow: [] }).open(bucket.bucket);
	const keys = await keysOf(job);
	const keyOf = (path: string) => keys.find((key) => key.endsWith(`/${path}`)) ?? "";
	const media = Buffer.from(files["media/h264_720.mp4"] ?? "");
	media.writeUInt8(media.readUInt8(8_000_000) ^ 1, 8_000_000);
	await opened.outputs.put(keyOf("media/h264_720.mp4"), once(media));
	await opened.outputs.put(keyOf("web.mp4"), once(Buffer.alloc(199_999, "web")));
	await opened.outputs.delete(keyOf("og.jpg"));
	const reference = keyOf("media/h264_720.mp4").replace(/^outputs\//, "");
	expect(await deep()).toEqual([
		`files_missing ${reference.split("/").slice(0, 2).join("/")}/`,
		`bytes_differ ${reference}`,
	]);
	await opened.close();
});

it("tells the same of what came by the archive", async () => {
	const job = await claimed(service, auth);
	const entries = async function* () {
		for (const [path, bytes] of Object.entries(files)) yield { path, bytes: once(bytes) };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	const opened = createBucketOpener({ allow: [] }).open(bucket.bucket);
	for (const key of await keysOf(job)) {
		const straight = await fetch(await opened.outputs.presign(key, { method: "GET", seconds: 60 }));
		expect(straight.headers.get("cache-control")).toBe("public, max-age=86400");
		await straight.body?.cancel();
	}
	await opened.close();
});

it("is complete only with every file in its declared size, and the bucket takes no other by the URL", async () => {
	const job = await claimed(service, auth);
	const targets = new Map((await urlsOf(job)).map((target) => [target.path, target]));
	const targetOf = (path: string) => targets.get(path) as Target;
	for (const path of paths.slice(1))
		expect((await put(targetOf(path), Buffer.from(files[path] ?? ""))).status).toBe(200);
	const [first = ""] = paths;
	for (const size of [0, 7, 9]) expect((await put(targetOf(first), Buffer.alloc(size, "x"))).status).toBe(403);
	expect(await complete(job, sized())).toMatchObject({
		status: 409,
		json: { error: "outputs_incomplete", missing: [first] },
	});
	expect((await put(targetOf(first), Buffer.from(files[first] ?? ""))).status).toBe(200);
	const wrong = sized().map((file) => (file.path === "og.jpg" ? { ...file, size: 4 } : file));
	expect(await complete(job, wrong)).toMatchObject({
		status: 409,
		json: { error: "outputs_incomplete", missing: ["og.jpg"] },
	});
	expect(await complete(job, sized())).toMatchObject({ status: 200 });
});

it("never mixes attempts: files put by a lost lock are never served, and removed after their last URL", async () => {
	const first = await claimed(service, auth);
	const stale = await urlsOf(first);
	await service.clock.advance(90_000);
	await service.engine.sweep();
	expect(await post(`${first.id}/output-urls`, { lock: first.lock, files: sized() })).toMatchObject({
		status: 409,
		json: { error: "invalid_video_state" },
	});
	const taken = await post(`${first.id}/claim`, { worker: "second" });
	const second = taken.json as Job;
	expect(second.attempt).toBe(2);
	expect(await post(`${first.id}/output-urls`, { lock: first.lock, files: sized() })).toMatchObject({
		status: 403,
		json: { error: "not_lock_holder" },
	});

	const ofSecond = (path: string) =>
		path === "hls/master.m3u8" ? playlistOf(1, "../media/h264_720.mp4") : `of the second: ${path}`;
	const others = Object.fromEntries(paths.map((path) => [path, Buffer.from(ofSecond(path))]));
	await putAll(second, others);
	for (const target of stale) expect((await put(target, Buffer.from(files[target.path] ?? ""))).status).toBe(200);
	expect(await complete(second, sized(others))).toMatchObject({ status: 200 });
	for (const path of paths) expect(await (await play(first.id, path)).text()).toBe(ofSecond(path));

	expect(await keysOf(first)).toHaveLength(2 * paths.length);
	await service.clock.advance(3_900_000);
	await service.engine.sweep();
	expect(await keysOf(first)).toHaveLength(paths.length);
	expect((await keysOf(first)).every((key) => key.includes(second.lock))).toBe(true);
	for (const path of paths) expect((await play(first.id, path)).status).toBe(200);
});

it("takes parts of chunks, redirects the video's worker to them, and keeps none when the attempt is over", async () => {
	worker = await service.serviceAuth();
	const job = await claimed(service, auth);
	const chunks = [{ first_frame: 50, end_frame: 100, digest: "a".repeat(64), speed: "balanced" }];
	const { data } = (await post(`${job.id}/chunks`, { lock: job.lock, chunks })).json as { data: [string] };
	const chunk = (await post(`${data[0]}/claim`, { worker: "helper" })).json as Job;
	const part = { "h264_720.mp4": Buffer.alloc(70_000, "part") };
	await putAll(chunk, part);
	expect(await complete(chunk, sized(part))).toMatchObject({ status: 200, json: { state: "done" } });
	const query = `lock=${job.lock}&path=h264_720.mp4`;
	const found = await service.send({ path: `/internal/v1/jobs/${chunk.id}/parts?${query}`, headers: worker });
	expect(found).toMatchObject({ status: 302, headers: { "reelmill-storage-owner": "tenant" } });
	expect(
		Buffer.from(await (await fetch(found.headers.location ?? "")).arrayBuffer()).equals(part["h264_720.mp4"]),
	).toBe(true);
	expect((await keysOf(job)).filter((key) => key.includes("/chunks/"))).toHaveLength(1);
	await putAll(job);
	expect(await complete(job, sized())).toMatchObject({ status: 200, json: { state: "available" } });
	await expect.poll(async () => (await keysOf(job)).length).toBe(paths.length);
	const noted = await service.database.query({
		text: "select not_before from reelmill.deletions where reference like '%/chunks/%'",
		values: [],
	});
	expect(noted).toEqual([{ not_before: expect.any(Date) }]);
});
