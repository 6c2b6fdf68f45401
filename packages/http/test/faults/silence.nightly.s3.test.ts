import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { systemClock } from "@reelmill/engine";
import { playlistOf } from "@reelmill/engine/testing";
import { type Fault, openTcpFaultProxy, type RequestMatch, type TcpFaultProxy } from "@reelmill/fault-proxy";
import { createPostgresDatabase, createPostgresRateLimiter, type PostgresDatabase } from "@reelmill/postgres";
import { describe, expect, inject, test } from "vitest";
import { beginUpload, eventually, finishUpload, openFaultyService } from "../support/open-faulty-service.ts";
import { claimed, completion, initiate, once, openService, type Service } from "../support/open-service.ts";
import { tusFor } from "../support/tus.ts";
import { zipOf } from "../support/zip.ts";

type Outcome = { readonly status: number; readonly seconds: number };

/**
 * How many seconds this thread was ready to run and had no processor. What else runs on the machine doesn't count as
 * waiting for an answer.
 */
const held = (): number => Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[1]) / 1e9;

/** What each request is answered, and after how long. All are sent at once. */
async function outcomes(
	requests: Record<string, () => Promise<{ readonly status: number }>>,
): Promise<Record<string, Outcome>> {
	const timed = Object.entries(requests).map(async ([name, send]) => {
		const [started, heldBefore] = [performance.now(), held()];
		const { status } = await send();
		const seconds = (performance.now() - started) / 1000 - (held() - heldBefore);
		return [name, { status, seconds }] as const;
	});
	return Object.fromEntries(await Promise.all(timed));
}

const statuses = (all: Record<string, Outcome>) =>
	Object.fromEntries(Object.entries(all).map(([name, { status }]) => [name, status]));
const longest = (all: Record<string, Outcome>): number => Math.max(...Object.values(all).map(({ seconds }) => seconds));

const files: Record<string, Uint8Array> = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"web.mp4": Buffer.alloc(1_000_000),
	"og.jpg": Buffer.alloc(10),
	"frames/00001.jpg": Buffer.alloc(100_000),
	"transcript.vtt": Buffer.from("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n"),
};
const completed = (lock: string) => {
	const body = completion(lock, Object.keys(files));
	return { ...body, media: { ...body.media, transcript_status: "available" as const, language: "en" } };
};

/** A public video with files that are small and files that aren't. */
async function publish({ engine }: Service, id: string): Promise<void> {
	const job = await engine.jobs.claimById({ accountId: "00000000-0000-4000-8000-000000000000", name: "worker" }, id, {
		worker: "w",
	});
	const entries = async function* () {
		for (const [path, bytes] of Object.entries(files)) yield { path, bytes: once(bytes) };
	};
	await engine.jobs.replaceOutputs(id, job.lock, entries());
	await engine.jobs.complete(id, completed(job.lock));
}

// All at the same time: each test waits for silence most of the time.
describe.concurrent("nobody waits longer than 10 s by the default settings", () => {
	test("for a bucket that takes every request and answers none", async ({ onTestFinished }) => {
		const faulty = await openFaultyService(inject("s3"));
		onTestFinished(faulty.close);
		const { service, auth, proxy } = faulty;
		const file = Buffer.alloc(6_000_000);
		const [published, cancelled, pending, running] = [
			await beginUpload(faulty, auth, file),
			await beginUpload(faulty, auth, file),
			await beginUpload(faulty, auth, file),
			await beginUpload(faulty, auth, file),
		];
		await published.patch(0);
		await publish(service, published.id);
		const part = proxy.use({ when: { method: "PUT", query: { partNumber: true } }, fault: { kind: "silence" } });
		const patching = running.patch(0).catch(() => undefined);
		await part.hit();
		proxy.use({ fault: { kind: "silence" } });
		const play = (path: string) => () => fetch(`${service.url}/videos/${published.id}/${path}`);
		const send = (method: string, path: string, json?: object) => () =>
			service.send({ method, path, headers: auth, ...(json && { json }) });
		const found = await outcomes({
			playlist: play("hls/master.m3u8"),
			file: play("web.mp4"),
			"HEAD of an upload": pending.head,
			"HEAD behind a PATCH that hangs": running.head,
			cancel: send("POST", `/v1/videos/${cancelled.id}/cancel`),
			"a look at a video": send("GET", `/v1/videos/${published.id}`),
			verification: send("POST", "/v1/domain/storage/verify", {
				...{ backend: "s3_tenant", endpoint: proxy.url, region: "us-east-1", bucket: "another" },
				...{ access_key_id: "a", secret_access_key: "b" },
			}),
		});
		expect(statuses(found)).toEqual({
			...{
				playlist: 503,
				file: 503,
				"HEAD of an upload": 503,
				"HEAD behind a PATCH that hangs": 503,
				cancel: 200,
				"a look at a video": 200,
				verification: 400,
			},
		});
		expect(longest(found), JSON.stringify(found)).toBeLessThan(10);
		const afterwards = await outcomes({
			"a new upload, while the profile is known to fail": send("POST", "/v1/videos", {
				content_type: "video/mp4",
				file_size: 10,
			}),
		});
		expect(statuses(afterwards)).toEqual({ "a new upload, while the profile is known to fail": 503 });
		expect(longest(afterwards)).toBeLessThan(10);
		await proxy.close();
		await patching;
	});

	test("for a bucket that falls silent over an upload: its offset tells what is there, and it goes on from there", async ({
		onTestFinished,
	}) => {
		const faulty = await openFaultyService(inject("s3"));
		onTestFinished(faulty.close);
		const { service, auth, proxy } = faulty;
		const silence: Fault = { kind: "silence" };
		const file = randomBytes(26_000_000);
		const put: RequestMatch = { method: "PUT" };
		const silences: readonly (readonly [what: string, bytes: number, when: RequestMatch, fault?: Fault])[] = [
			["PATCH of what fits into one request", 1000, put],
			["PATCH that has sent its body", 12_000_000, { ...put, query: { partNumber: "2" } }],
			["PATCH from which no more is read", file.length, { ...put, query: { partNumber: true } }],
			[
				"PATCH whose part stops in the middle",
				12_000_000,
				{ ...put, query: { partNumber: "1" } },
				{ kind: "hold", direction: "request", afterBytes: 2_000_000 },
			],
			["PATCH whose completion is not answered", 12_000_000, { method: "POST", query: { uploadId: true } }],
		];
		const [another, ended] = [await initiate(service, auth), await beginUpload(faulty, auth, file)];
		const uploads = await Promise.all(
			silences.map(async ([what, size, when, fault = silence]) => {
				const bytes = file.subarray(0, size);
				const upload = await beginUpload(faulty, auth, bytes);
				const rule = proxy.use({ when: { ...when, path: new RegExp(`/${upload.id}`) }, fault });
				return { what, bytes, upload, rule };
			}),
		);
		const running = uploads.map(async ({ what, upload, rule }) => {
			const patching = upload.patch(0);
			await rule.hit();
			// What follows is asked at the moment at which the bucket falls silent.
			const found = await outcomes({ [what]: () => patching, [`HEAD behind a ${what}`]: upload.head });
			return { what, found, answer: await patching };
		});
		for (const { what, found, answer } of await Promise.all(running)) {
			expect(statuses(found)).toEqual({ [what]: 503, [`HEAD behind a ${what}`]: 503 });
			expect(longest(found), JSON.stringify(found)).toBeLessThan(10);
			expect([answer.headers["retry-after"], answer.json]).toEqual([
				"5",
				{ error: "storage_unavailable", message: expect.any(String) },
			]);
		}

		proxy.clear();
		for (const { upload, bytes } of uploads) {
			await finishUpload(upload, bytes.length);
			const source = await service.engine.jobs.source(upload.id);
			const stored = await (await fetch(source.elsewhere?.url ?? "")).bytes();
			expect(createHash("sha256").update(stored).digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
		}

		proxy.use({ fault: silence });
		const creating = tusFor(service.url, another);
		const rest = await outcomes({ POST: creating.create, DELETE: ended.remove });
		expect(statuses(rest)).toEqual({ POST: 503, DELETE: 204 });
		expect(longest(rest), JSON.stringify(rest)).toBeLessThan(10);
	});

	test("for a bucket that falls silent over a worker's archive, which goes through afterwards and leaves no rest", async ({
		onTestFinished,
	}) => {
		const faulty = await openFaultyService(inject("s3"), { lock: 600 });
		onTestFinished(faulty.close);
		const { service, auth, proxy, bucket } = faulty;
		const worker = await service.serviceAuth();
		const silence: Fault = { kind: "silence" };
		const large = { ...files, "web.mp4": randomBytes(20_000_000) };
		const [zip, largeZip] = [zipOf(files), zipOf(large)];
		const put: RequestMatch = { method: "PUT" };
		const silences: readonly (readonly [
			what: string,
			made: Record<string, Uint8Array>,
			when: RequestMatch,
			fault?: Fault,
		])[] = [
			["at the put of a file between others", files, { ...put, path: /web\.mp4$/ }],
			["at a part", large, { ...put, query: { partNumber: "2" } }],
			[
				"in the middle of a part",
				large,
				{ ...put, query: { partNumber: "1" } },
				{ kind: "hold", direction: "request", afterBytes: 2_000_000 },
			],
			["at the completion of parts", large, { method: "POST", query: { uploadId: true } }],
		];
		const deliveries = await Promise.all(
			silences.map(async ([what, made, when, fault = silence]) => {
				const { id, lock } = await claimed(service, auth);
				const headers = { ...worker, "content-type": "application/zip" };
				const send = async () =>
					service.send({
						method: "PUT",
						path: `/internal/v1/jobs/${id}/outputs?lock=${lock}`,
						headers,
						body: await (made === files ? zip : largeZip),
					});
				const complete = () =>
					service.send({
						method: "POST",
						path: `/internal/v1/jobs/${id}/complete`,
						headers: worker,
						json: completed(lock),
					});
				const path = new RegExp(`/${id}/.*${when.path?.source ?? ""}`);
				return {
					what,
					made,
					id,
					send,
					complete,
					rule: proxy.use({ when: { ...when, path }, fault }),
					path: new RegExp(`/${id}/`),
				};
			}),
		);
		const delivering = deliveries.map(async ({ what, send, rule, path }) => {
			const sending = send();
			await rule.hit();
			// From then on the bucket says nothing about this video at all.
			proxy.use({ when: { path }, fault: silence });
			return outcomes({ [what]: () => sending });
		});
		for (const found of await Promise.all(delivering)) {
			for (const [what, { status, seconds }] of Object.entries(found)) {
				expect([what, status]).toEqual([what, 503]);
				expect(seconds, what).toBeLessThan(10);
			}
		}

		proxy.clear();
		for (const { send } of deliveries) expect((await send()).status).toBe(204);
		proxy.use({ fault: silence });
		const completing = await outcomes(Object.fromEntries(deliveries.map(({ what, complete }) => [what, complete])));
		for (const status of Object.values(statuses(completing))) expect(status).toBe(503);
		expect(longest(completing), JSON.stringify(completing)).toBeLessThan(10);

		proxy.clear();
		for (const { id, made, complete } of deliveries) {
			expect(await complete()).toMatchObject({ status: 200, json: { state: "available" } });
			const served = await (await fetch(`${service.url}/videos/${id}/web.mp4`)).bytes();
			expect(Buffer.compare(served, made["web.mp4"] ?? Buffer.alloc(0))).toBe(0);
		}
		const left = () => Promise.all([bucket.keys(), bucket.unfinished()]);
		const outputs = deliveries.length * Object.keys(files).length;
		await eventually(
			left,
			([keys, unfinished]) =>
				keys.filter((key) => key.startsWith("outputs/")).length === outputs && unfinished.length === 0,
		);
	});

	test("for a bucket that falls silent in the middle of its answers", async ({ onTestFinished }) => {
		const faulty = await openFaultyService(inject("s3"));
		onTestFinished(faulty.close);
		const { service, auth, proxy } = faulty;
		const [published, deleted] = [
			await beginUpload(faulty, auth, Buffer.alloc(10)),
			await beginUpload(faulty, auth, Buffer.alloc(10)),
		];
		for (const upload of [published, deleted]) {
			await upload.patch(0);
			await publish(service, upload.id);
		}
		const send = (method: string, path: string) => () => service.send({ method, path, headers: auth });
		const play = (path: string) => () => fetch(`${service.url}/videos/${published.id}/${path}`);
		// The second request for a file has it read into memory, before it is answered.
		await (await play("web.mp4")()).arrayBuffer();
		for (const path of [/web\.mp4$/, /00001\.jpg$/, /transcript\.vtt$/]) {
			proxy.use({
				when: { method: "GET", path },
				times: 1,
				fault: { kind: "hold", direction: "answer", afterBytes: 20 },
			});
		}
		proxy.use({ fault: { kind: "silence" } });
		const found = await outcomes({
			"a file that is read into memory": play("web.mp4"),
			"a frame": send("GET", `/v1/videos/${published.id}/frames/00001.jpg`),
			"a transcript": send("GET", `/v1/videos/${published.id}/transcript`),
			"a deletion": send("DELETE", `/v1/videos/${deleted.id}`),
			"a look at the storage": send("GET", "/v1/domain/storage"),
		});
		expect(statuses(found)).toEqual({
			"a file that is read into memory": 503,
			"a frame": 503,
			"a transcript": 503,
			"a deletion": 204,
			"a look at the storage": 200,
		});
		expect(longest(found), JSON.stringify(found)).toBeLessThan(10);
	});

	test.for<[string, (proxy: TcpFaultProxy) => void]>([
		["a database whose connections stay open and say nothing", (proxy) => proxy.stall()],
		["a database whose machine is gone without a word", (proxy) => proxy.halfOpen("client")],
	])("for %s", async ([, fail], { onTestFinished }) => {
		let database: PostgresDatabase | undefined;
		const target = new URL(process.env.REELMILL_TEST_DATABASE_URL ?? "");
		const proxy = await openTcpFaultProxy({ target: { host: target.hostname, port: Number(target.port || 5432) } });
		const { port } = proxy;
		const service = await openService({}, ({ databaseUrl }) => {
			const url = Object.assign(new URL(databaseUrl), { hostname: "127.0.0.1", port: String(port) });
			database = createPostgresDatabase({ url: url.href });
			return { database, clock: systemClock, rateLimiter: createPostgresRateLimiter({ database }) };
		});
		onTestFinished(async () => {
			await proxy.close();
			await database?.close();
			await service.close();
		});
		const { auth } = await service.tenant({ default_visibility: "public" });
		const created = await initiate(service, auth);
		const tus = tusFor(service.url, created);
		await tus.create();
		const send = (method: string, path: string) => () => service.send({ method, path, headers: auth });
		fail(proxy);
		const found = await outcomes({
			"a look at a video": send("GET", `/v1/videos/${created.video.id}`),
			"a list": send("GET", "/v1/videos"),
			cancel: send("POST", `/v1/videos/${created.video.id}/cancel`),
			"a key that is not known": () =>
				service.send({ path: "/v1/domain", headers: { authorization: `Bearer ek_${"a".repeat(43)}` } }),
			"HEAD of an upload": tus.head,
			viewer: () => fetch(`${service.url}/videos/${created.video.id}/web.mp4`),
			operator: () =>
				service.send({ path: "/admin/v1/stats", headers: { authorization: "Bearer admin-key-of-the-tests" } }),
		});
		for (const [name, { status }] of Object.entries(found)) expect(status, name).toBe(503);
		expect(longest(found), JSON.stringify(found)).toBeLessThan(10);
	});
});
