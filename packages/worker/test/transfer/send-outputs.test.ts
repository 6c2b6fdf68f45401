import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Job } from "@reelmill/contracts";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createServiceClient, type ServiceClientOptions } from "../../src/service-client/service-client.ts";
import { sendOutputs } from "../../src/transfer/send-outputs.ts";
import { type Fate, openBucket } from "../support/bucket-server.ts";
import { entriesOf, recordingLogger } from "../support/fixtures.ts";
import { jobId, lock, openInternalPlane } from "../support/internal-plane-server.ts";

const contents: Record<string, Buffer> = {
	"hls/master.m3u8": Buffer.from("#EXTM3U\n"),
	"media/h264_720.mp4": Buffer.alloc(3_000_000, "media"),
	"web.mp4": Buffer.alloc(1_000_000, "web"),
	"og.jpg": Buffer.from("jpg"),
	"transcript.vtt": Buffer.alloc(0),
	"storyboard.vtt": Buffer.from("WEBVTT\n"),
};
const files = Object.keys(contents);
const sized = files.map((path) => ({ path, size: contents[path]?.length }));
const job = { id: jobId, lock } as Job;

let directory: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
	directory = await mkdtemp(join(tmpdir(), "reelmill-send-outputs-"));
	for (const [path, bytes] of Object.entries(contents)) {
		await mkdir(dirname(join(directory, path)), { recursive: true });
		await writeFile(join(directory, path), bytes);
	}
});
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
	await rm(directory, { recursive: true });
});

async function open(
	fate?: Fate,
	{ owner = "platform", ...options }: Partial<ServiceClientOptions> & { owner?: "platform" | "tenant" } = {},
) {
	const bucket = await openBucket(fate);
	const server = await openInternalPlane({ source: Buffer.alloc(0), outputUrls: bucket.outputUrls(owner) });
	closing.push(bucket.close, server.close);
	const waits: number[] = [];
	const logger = recordingLogger();
	const run = (signal = new AbortController().signal, idleMilliseconds = 5000) => {
		const service = createServiceClient({ apiUrl: server.url, name: "w", secret: "s", ...options });
		const wait = async (milliseconds: number) => void waits.push(milliseconds);
		return sendOutputs(files, { service, job, outputs: directory, signal, wait, idleMilliseconds, logger });
	};
	return { bucket, server, waits, logger, run };
}

const digests = (all: Iterable<[string, Buffer]>) =>
	Object.fromEntries([...all].map(([path, bytes]) => [path, createHash("sha256").update(bytes).digest("hex")]));

const refuse: Fate = (_path, _nth, _request, response) => response.writeHead(503).end("words of the bucket");

it("puts every file into the bucket with its length and headers, without credentials, four at a time", async () => {
	const { bucket, server, run } = await open();
	expect(await run()).toEqual(sized);
	expect(digests(bucket.stored)).toEqual(digests(Object.entries(contents)));
	for (const { path, headers } of bucket.puts) {
		expect(headers).toMatchObject({
			"content-length": String(contents[path]?.length),
			"cache-control": "public, max-age=86400",
		});
		expect(headers).toMatchObject({ "content-type": `type/of-${path.split(".").at(-1)}` });
		expect(headers.authorization).toBeUndefined();
		expect(headers["transfer-encoding"]).toBeUndefined();
	}
	expect(bucket.most()).toBeLessThanOrEqual(4);
	expect(server.of("/output-urls").map(({ body }) => body)).toEqual([{ lock, files: sized }]);
	expect(server.of("/outputs")).toEqual([]);
});

it("puts again, to a new address, only the files that failed midway or were refused", async () => {
	const { bucket, server, waits, run } = await open((path, nth, request, response) => {
		if (nth > 1) return undefined;
		if (path === "media/h264_720.mp4") return request.once("data", () => request.socket.destroy());
		return path === "og.jpg" ? response.writeHead(403).end() : undefined;
	});
	expect(await run()).toEqual(sized);
	expect(digests(bucket.stored)).toEqual(digests(Object.entries(contents)));
	const times = (path: string) => bucket.puts.filter((put) => put.path === path).length;
	expect([times("media/h264_720.mp4"), times("og.jpg"), times("hls/master.m3u8")]).toEqual([2, 2, 1]);
	const asked = server.of("/output-urls").map(({ body }) => (body.files as { path: string }[]).map(({ path }) => path));
	expect(asked.length).toBeGreaterThan(1);
	for (const again of asked.slice(1)) expect(again).not.toContain("hls/master.m3u8");
	expect(waits).toHaveLength(asked.length - 1);
	expect(server.of("/outputs")).toEqual([]);
});

it("sends the archive after four attempts if the bucket takes nothing, and logs nothing that the bucket said", async () => {
	const { bucket, server, waits, logger, run } = await open(refuse);
	expect(await run()).toEqual(files);
	expect(bucket.stored.size).toBe(0);
	expect((await entriesOf(server.archive() as Buffer)).sort()).toEqual([...files].sort());
	expect(server.of("/output-urls")).toHaveLength(4);
	expect(waits).toHaveLength(3);
	for (const [index, wait] of waits.entries())
		expect(Math.abs(wait / (500 * 2 ** index) - 0.9)).toBeLessThanOrEqual(0.1);
	expect(logger.lines.filter(({ level }) => level === "warn")).toMatchObject([
		{ fields: { cause: "Error: The bucket answered 503." } },
	]);
	expect(JSON.stringify(logger.lines)).not.toMatch(/words|signature/);
});

it("sends the archive if one file is always refused, once all others are in the bucket", async () => {
	const { bucket, server, run } = await open((path, nth, request, response) =>
		path === "hls/master.m3u8" ? refuse(path, nth, request, response) : undefined,
	);
	expect(await run()).toEqual(files);
	expect([...bucket.stored.keys()].sort()).toEqual(files.filter((path) => path !== "hls/master.m3u8").sort());
	expect(server.of("/outputs")).toHaveLength(1);
});

it("reaches a tenant's bucket only through the guard, and sends the archive if the guard refuses", async () => {
	const seen: string[] = [];
	const guarded: typeof fetch = (input, init) => {
		seen.push(String(input));
		return fetch(input, init);
	};
	const tenants = await open(undefined, { owner: "tenant", fetchFromTenants: guarded });
	await tenants.run();
	expect(seen).toHaveLength(files.length);
	const platform = await open(undefined, { owner: "platform", fetchFromTenants: guarded });
	await platform.run();
	expect(seen).toHaveLength(files.length);
	const blocked = await open(undefined, {
		owner: "tenant",
		fetchFromTenants: () => Promise.reject(new TypeError("blocked")),
	});
	expect(await blocked.run()).toEqual(files);
	expect(blocked.bucket.puts).toEqual([]);
	const unguarded = await open(undefined, { owner: "tenant" });
	expect(await unguarded.run()).toEqual(files);
	expect(unguarded.bucket.puts).toEqual([]);
});

it("follows no redirect of the bucket", async () => {
	const { bucket, run } = await open((path, _nth, _request, response) => {
		if (path === "elsewhere") return undefined;
		return response.writeHead(307, { location: "/elsewhere" }).end();
	});
	expect(await run()).toEqual(files);
	expect(bucket.puts.map(({ path }) => path)).not.toContain("elsewhere");
});

it("gives up a put that moves nothing for the idle time", async () => {
	const { bucket, run } = await open((path, nth) => (path === "web.mp4" && nth === 1 ? true : undefined));
	expect(await run(undefined, 300)).toEqual(sized);
	expect(digests(bucket.stored)).toEqual(digests(Object.entries(contents)));
});

it("stops at once when the lock is lost", async () => {
	const reached = Promise.withResolvers<void>();
	const ended = Promise.withResolvers<void>();
	const { server, run } = await open((path, _nth, request, response) => {
		if (path !== "media/h264_720.mp4") return undefined;
		request.resume();
		response.once("close", ended.resolve);
		return reached.resolve() ?? true;
	});
	const lost = new AbortController();
	const sending = run(lost.signal);
	await reached.promise;
	lost.abort(new Error("lost"));
	await expect(sending).rejects.toThrow("lost");
	await ended.promise;
	expect(server.of("/outputs")).toEqual([]);
});

it("declares no sizes to a server that offers no bucket, or is of an earlier version", async () => {
	for (const outputUrls of [() => ({ data: null, storage_owner: "platform" as const }), undefined]) {
		const server = await openInternalPlane({ source: Buffer.alloc(0), ...(outputUrls && { outputUrls }) });
		closing.push(server.close);
		const service = createServiceClient({ apiUrl: server.url, name: "w", secret: "s" });
		const signal = new AbortController().signal;
		expect(
			await sendOutputs(files, {
				service,
				job,
				outputs: directory,
				signal,
				wait: async () => undefined,
				idleMilliseconds: 5000,
				logger: recordingLogger(),
			}),
		).toEqual(files);
		expect((await entriesOf(server.archive() as Buffer)).sort()).toEqual([...files].sort());
	}
});
