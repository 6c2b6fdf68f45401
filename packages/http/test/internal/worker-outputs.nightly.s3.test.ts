import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputSumsFile, type Video } from "@reelmill/contracts";
import { createRecordingLogger } from "@reelmill/engine/testing";
import { createWorker, type Worker } from "@reelmill/worker";
import { afterAll, afterEach, beforeAll, expect, inject, it } from "vitest";
import { makeSource } from "../../../worker/test/support/make-source.ts";
import { beginUpload, eventually, type FaultyService, openFaultyService } from "../support/open-faulty-service.ts";

let faulty: FaultyService;
let worker: Worker;
let directory: string;
let source: Buffer;
/** What the worker put into the bucket last, by key: its bytes as they left it. */
const put = new Map<string, { sha256: string; size: number }>();
/** What it sent to the server. */
const sent: string[] = [];
beforeAll(async () => {
	faulty = await openFaultyService(inject("s3"));
	directory = await mkdtemp(join(tmpdir(), "reelmill-worker-outputs-"));
	source = await makeSource(3, { size: "640x360" });
	const { secret } = await faulty.service.engine.accounts.ensure({ name: "worker" });
	worker = createWorker({
		apiUrl: faulty.service.url,
		name: "worker",
		secret,
		workDirectory: join(directory, "work"),
		tools: { ffmpeg: "ffmpeg", ffprobe: "ffprobe" },
		logger: createRecordingLogger(),
		claimWaitSeconds: 1,
		fetch: (input, init) => {
			const { method, url } = input instanceof Request ? input : { method: init?.method, url: String(input) };
			sent.push(`${method} ${url.split("?", 1)[0]?.split("/").at(-1)}`);
			return fetch(input, init);
		},
		fetchFromTenants: (input, init) =>
			fetch(
				input,
				init?.method === "PUT" ? { ...init, body: hashed(String(input), init.body as ReadableStream) } : init,
			),
	});
	worker.start();
});
afterAll(async () => {
	await worker?.stop();
	await faulty?.close();
	await faulty?.bucket.remove();
	await rm(directory, { recursive: true, force: true });
});
afterEach(() => faulty.proxy.clear());

function hashed(url: string, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
	const hash = createHash("sha256");
	let size = 0;
	const tap = new TransformStream<Uint8Array, Uint8Array>({
		transform(chunk, controller) {
			hash.update(chunk);
			size += chunk.length;
			controller.enqueue(chunk);
		},
		flush: () => void put.set(new URL(url).pathname, { sha256: hash.digest("hex"), size }),
	});
	return body.pipeThrough(tap);
}

async function available(): Promise<Video> {
	put.clear();
	sent.length = 0;
	const upload = await beginUpload(faulty, faulty.auth, source);
	expect((await upload.patch(0)).status).toBe(204);
	const video = await eventually(
		() => faulty.video(upload.id),
		({ state }) => ["available", "failed", "timeout"].includes(state),
	);
	expect([video.state, video.failure_reason]).toEqual(["available", null]);
	return video;
}

/** Everything that the worker put is served as it left it, but the sums of it, which nobody gets. */
async function expectServed({ id }: Video): Promise<void> {
	const paths = [...put.keys()].map((path) => path.split("/").slice(6).join("/"));
	expect(paths).toEqual(expect.arrayContaining([outputSumsFile, "hls/master.m3u8", "web.mp4", "og.jpg"]));
	for (const [index, { sha256, size }] of [...put.values()].entries()) {
		const answer = await fetch(`${faulty.service.url}/videos/${id}/${paths[index]}`);
		const bytes = await answer.bytes();
		if (paths[index] === outputSumsFile) {
			expect(answer.status).toBe(404);
			continue;
		}
		expect([paths[index], bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([
			paths[index],
			size,
			sha256,
		]);
	}
}

it("a worker puts every output straight into the tenant's bucket, none through the server", async () => {
	await expectServed(await available());
	expect(sent).toContain("POST output-urls");
	expect(sent).not.toContain("PUT outputs");
	expect(faulty.proxy.seen.filter(({ method, path }) => method === "PUT" && /X-Amz-Signature/.test(path))).toHaveLength(
		put.size,
	);
});

it("a worker puts again what breaks off midway, is refused, or gets no answer", async () => {
	const media = { method: "PUT", path: /\/media\/h264/ };
	const cut = faulty.proxy.use({
		when: media,
		nth: 1,
		fault: { kind: "cut", direction: "request", afterBytes: 20_000 },
	});
	const lost = faulty.proxy.use({ when: { method: "PUT", path: /og\.jpg/ }, nth: 1, fault: { kind: "lose-answer" } });
	const refused = faulty.proxy.use({
		when: { method: "PUT", path: /web\.mp4/ },
		nth: 1,
		fault: { kind: "refuse", status: 503 },
	});
	await expectServed(await available());
	expect([cut.hits, lost.hits, refused.hits]).toEqual([1, 1, 1]);
	expect(sent.filter((request) => request === "POST output-urls").length).toBeGreaterThan(1);
	expect(sent).not.toContain("PUT outputs");
});

it("a worker whose puts the bucket refuses sends them through the server, which stores them", async () => {
	faulty.proxy.use({
		when: { method: "PUT", query: { "X-Amz-Signature": true } },
		fault: { kind: "refuse", status: 403 },
	});
	const { id } = await available();
	expect(sent.filter((request) => request === "PUT outputs")).toEqual(["PUT outputs"]);
	const played = await fetch(`${faulty.service.url}/videos/${id}/web.mp4`);
	expect([played.status, (await played.bytes()).length]).toEqual([200, Number(played.headers.get("content-length"))]);
});
