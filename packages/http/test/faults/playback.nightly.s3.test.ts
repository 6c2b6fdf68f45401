import { createHash, randomBytes } from "node:crypto";
import { playlistOf } from "@reelmill/engine/testing";
import { startTestGateway, type TestGateway } from "@reelmill/storage-s3/testing";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { beginUpload, type FaultyService, openFaultyService } from "../support/open-faulty-service.ts";
import { completion, once } from "../support/open-service.ts";

const media = randomBytes(12_000_000);
const small = Buffer.from("#EXTM3U\n");
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const files: Record<string, Uint8Array> = {
	"hls/master.m3u8": Buffer.from(playlistOf(1)),
	"media/h264_720.mp4": media,
	"web.mp4": media,
	"og.jpg": small,
};

let gateway: TestGateway;
let faulty: FaultyService;
let id: string;
beforeAll(async () => {
	gateway = await startTestGateway();
	faulty = await openFaultyService(gateway.server);
	const upload = await beginUpload(faulty, faulty.auth, Buffer.from("0123456789"));
	await upload.patch(0);
	id = upload.id;
	const { jobs } = faulty.service.engine;
	const job = await jobs.claimById({ accountId: "00000000-0000-4000-8000-000000000000", name: "worker" }, id, {
		worker: "w",
	});
	const entries = async function* () {
		for (const [path, bytes] of Object.entries(files)) yield { path, bytes: once(bytes) };
	};
	await jobs.replaceOutputs(id, job.lock, entries());
	await jobs.complete(id, completion(job.lock, Object.keys(files)));
});
afterAll(async () => {
	await faulty?.close();
	await gateway.close();
});
afterEach(() => faulty.proxy.clear());

const play = (path: string, range?: string) =>
	fetch(`${faulty.service.url}/videos/${id}/${path}`, range === undefined ? {} : { headers: { range } });
/** The bytes, or null where the connection broke. */
const bytesOf = (answer: Response) => answer.bytes().catch(() => null);

test("a range whose answer from the bucket breaks off goes on, and arrives whole", async () => {
	faulty.proxy.use({
		when: { method: "GET", path: /media/ },
		times: 2,
		fault: { kind: "cut", direction: "answer", afterBytes: 2_000_000 },
	});
	const answer = await play("media/h264_720.mp4", "bytes=1000000-8999999");
	expect([answer.status, answer.headers.get("content-range")]).toEqual([206, `bytes 1000000-8999999/${media.length}`]);
	expect(sha256(await answer.bytes())).toBe(sha256(media.subarray(1_000_000, 9_000_000)));
});

test("a viewer who reads slowly holds the bucket back, and gets every byte", async () => {
	const answer = await play("web.mp4");
	let got = 0;
	for await (const chunk of answer.body ?? []) {
		if (got === 0) await new Promise((resolve) => setTimeout(resolve, 500));
		got += chunk.length;
	}
	expect(got).toBe(media.length);
});

test("a gateway that dies within a range breaks the viewer's connection, and serves the range after its restart", async () => {
	const held = faulty.proxy.use({
		when: { method: "GET", path: /web\.mp4/ },
		times: 1,
		fault: { kind: "hold", direction: "answer", afterBytes: 3_000_000 },
	});
	const answer = await play("web.mp4", "bytes=0-9999999");
	expect(answer.status).toBe(206);
	const reading = bytesOf(answer);
	await held.hit();
	await gateway.kill();
	held.release();
	expect(await reading).toBeNull();

	const refused = await play("web.mp4", "bytes=0-99");
	expect([refused.status, await refused.json()]).toEqual([
		503,
		{ error: "storage_unavailable", message: expect.any(String) },
	]);
	expect(refused.headers.get("cache-control")).toBe("no-store");
	expect((await faulty.service.send({ path: "/v1/health" })).status).toBe(200);

	await gateway.restart();
	const again = await play("web.mp4", "bytes=0-9999999");
	expect(sha256(await again.bytes())).toBe(sha256(media.subarray(0, 10_000_000)));
});

test("a gateway that is back while the range runs lets it arrive whole or breaks it", async () => {
	const held = faulty.proxy.use({
		when: { method: "GET", path: /web\.mp4/ },
		times: 1,
		fault: { kind: "hold", direction: "answer", afterBytes: 3_000_000 },
	});
	const reading = bytesOf(await play("web.mp4"));
	await held.hit();
	await gateway.restart();
	held.release();
	const bytes = await reading;
	expect([null, sha256(media)]).toContain(bytes && sha256(bytes));
});

test("a bucket that falls silent is given up, and doesn't keep a viewer waiting for ever", async () => {
	faulty.proxy.use({ when: { method: "GET", path: /web\.mp4/ }, fault: { kind: "silence" } });
	const answer = await play("web.mp4", "bytes=0-99");
	expect(answer.status).toBe(503);
});
