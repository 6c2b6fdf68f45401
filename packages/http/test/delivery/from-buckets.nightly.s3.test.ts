import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { playlistOf } from "@reelmill/engine/testing";
import { type FaultProxy, openFaultProxy } from "@reelmill/fault-proxy";
import { createBucketOpener } from "@reelmill/storage-s3";
import { createTestBucket, type TestBucket } from "@reelmill/storage-s3/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { claimed, completion, openService, type Service } from "../support/open-service.ts";

const MiB = 1024 * 1024;
const size = 96 * MiB;
/** What the kernel's buffers may hold on the two connections between the gateway and a viewer, and more. */
const buffered = 64 * MiB;

let service: Service;
let proxy: FaultProxy;
let bucket: TestBucket;
let id: string;
let digest: string;
beforeAll(async () => {
	const server = inject("s3");
	proxy = await openFaultProxy({ target: server.endpoint });
	bucket = await createTestBucket(server);
	// One connection alone: whoever keeps it keeps all others waiting.
	service = await openService({}, () => ({ buckets: createBucketOpener({ allow: ["127.0.0.0/8"], maxSockets: 1 }) }));
	const { auth } = await service.tenant({ default_visibility: "public" });
	const { region, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = server;
	const profile = {
		backend: "s3_tenant",
		endpoint: proxy.url,
		region,
		bucket: bucket.bucket.bucket,
		access_key_id,
		secret_access_key,
	};
	expect(await service.send({ method: "PUT", path: "/v1/domain/storage", headers: auth, json: profile })).toMatchObject(
		{ status: 200 },
	);
	const job = await claimed(service, auth);
	const whole = createHash("sha256");
	const chunk = randomBytes(MiB);
	const media = async function* () {
		for (let sent = 0; sent < size; sent += MiB) {
			chunk.writeUInt32LE(sent);
			whole.update(chunk);
			yield Buffer.from(chunk);
		}
	};
	const playlist = async function* () {
		yield Buffer.from(playlistOf(1));
	};
	const small = async function* () {
		yield Buffer.from("small");
	};
	const entries = async function* () {
		yield { path: "web.mp4", bytes: media() };
		yield { path: "hls/master.m3u8", bytes: playlist() };
		yield { path: "og.jpg", bytes: small() };
	};
	await service.engine.jobs.replaceOutputs(job.id, job.lock, entries());
	await service.engine.jobs.complete(job.id, completion(job.lock, ["web.mp4"]));
	digest = whole.digest("hex");
	({ id } = job);
});
afterAll(async () => {
	await service?.engine.stop();
	await service?.close();
	await proxy?.close();
	await bucket?.remove();
});

/** The answer to a viewer who has not begun to read. */
async function play(path: string): Promise<IncomingMessage> {
	const request = get(`${service.url}/videos/${id}/${path}`, { agent: false });
	const [answer] = (await once(request, "response")) as [IncomingMessage];
	return answer;
}
const fromBucket = () => proxy.seen.filter(({ method, path }) => method === "GET" && path.includes("web.mp4"));
const bytesFromBucket = () => fromBucket().reduce((sum, { answerBytes }) => sum + answerBytes, 0);

/** Resolves with what `count` comes to, once it has not grown for half a second. */
async function settled(count: () => number): Promise<number> {
	for (let before = -1; ; before = count()) {
		await new Promise((resolve) => setTimeout(resolve, 500));
		if (count() > 0 && count() === before) return before;
	}
}

it("reads from the bucket only as fast as a viewer takes it, and gives the viewer every byte", async () => {
	const answer = await play("web.mp4");
	expect(answer.headers["content-length"]).toBe(String(size));
	const read = await settled(bytesFromBucket);
	expect(read).toBeLessThan(buffered);
	const whole = createHash("sha256");
	for await (const chunk of answer) whole.update(chunk);
	expect(whole.digest("hex")).toBe(digest);
	expect(bytesFromBucket()).toBe(size);
});

it("gives the bucket's connection back as soon as a viewer leaves", async () => {
	for (const path of ["og.jpg", "hls/master.m3u8"]) {
		// A completion reads playlists, too.
		const asked = () => proxy.seen.filter((request) => request.path.includes(path) && request.method === "GET").length;
		const before = asked();
		const leaving = await play("web.mp4");
		const next = play(path);
		await settled(bytesFromBucket);
		expect(asked()).toBe(before);
		leaving.destroy();
		const answer = await next;
		expect([answer.statusCode, Buffer.concat(await answer.toArray()).toString()]).toEqual([
			200,
			path === "og.jpg" ? "small" : playlistOf(1),
		]);
	}
	expect(fromBucket()).toHaveLength(3);
	for (const { answerBytes } of fromBucket().slice(1)) expect(answerBytes).toBeLessThan(buffered);
});
