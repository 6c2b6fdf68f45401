import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createBounds } from "../src/bounds.ts";
import type { EndsAfter, Worker, WorkerEnd, WorkerOptions } from "../src/index.ts";
import { type InternalPlaneServer, openInternalPlane } from "./support/internal-plane-server.ts";
import { startWorker } from "./support/start-worker.ts";

const once: EndsAfter = { jobs: 1, idleSeconds: 0 };
const noVideo = Buffer.from("no video");
let folder: string;
let workDirectory: string;
let server: InternalPlaneServer;
let worker: Worker | undefined;
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "reelmill-ends-"));
	workDirectory = join(folder, "work");
	await mkdir(workDirectory);
	// An encode costs half a second, so these programs are content with all.
	for (const name of ["ffmpeg", "ffprobe"]) await writeFile(join(folder, name), "#!/bin/sh\n", { mode: 0o755 });
});
afterEach(async () => {
	const stopped = worker?.stop();
	await server.close();
	await stopped;
	await rm(folder, { recursive: true });
});

/** Starts a worker, and returns how it ends. */
const start = (endsAfter: EndsAfter, options: Partial<WorkerOptions> = {}): Promise<WorkerEnd> =>
	new Promise((resolve) => {
		const tools = { ffmpeg: join(folder, "ffmpeg"), ffprobe: join(folder, "ffprobe"), confinement: "off" } as const;
		worker = startWorker({ apiUrl: server.url, workDirectory, tools, endsAfter, onEnded: resolve, ...options });
	});
const jobsClaimed = () => server.of("/claim").filter(({ body }) => !("fault" in body));
const ended = (reason: WorkerEnd["reason"]): WorkerEnd => ({ reason, message: null, gaveBack: false });

describe("a worker that ends by itself", () => {
	it("does one job, claims no second one, and leaves nothing but its end", async () => {
		server = await openInternalPlane({ source: noVideo, offers: 2 });
		expect(await start(once)).toEqual(ended("done"));
		expect([jobsClaimed(), server.of("/fail")].map(({ length }) => length)).toEqual([1, 1]);
		expect(await readdir(workDirectory)).toEqual([]);
		expect(worker?.status()).toMatchObject({ claims: false, illness: null, jobs: [] });
	});

	it("takes as many jobs as it may, at the same time as well, and counts one that failed for good", async () => {
		server = await openInternalPlane({ source: noVideo, offers: 5 });
		expect(await start({ jobs: 3 }, { concurrency: 2 })).toEqual(ended("done"));
		expect([jobsClaimed(), server.of("/fail")].map(({ length }) => length)).toEqual([3, 3]);
	});

	it("ends at once if there is nothing to do, and waits for no job", async () => {
		server = await openInternalPlane({ source: noVideo, offers: 0 });
		expect(await start(once)).toEqual(ended("idle"));
		expect(jobsClaimed().map(({ body }) => body.wait_seconds)).toEqual([0]);
	});

	it("does all jobs that come, and ends once none came for as long as it may be idle", async () => {
		server = await openInternalPlane({ source: noVideo, offers: 2 });
		expect(await start({ idleSeconds: 1 })).toEqual(ended("idle"));
		expect(server.of("/fail")).toHaveLength(2);
		expect(Math.max(...jobsClaimed().map(({ body }) => Number(body.wait_seconds)))).toBe(1);
	});
});

describe("the bounds of a run", () => {
	it("let no claim that is under way be given up, as it may bring a job", () => {
		const bounds = createBounds({ idleSeconds: 0 }, new Set());
		bounds.take();
		bounds.take();
		bounds.noteNoJob();
		expect(bounds.signal.aborted).toBe(false);
		bounds.noteJob(null);
		bounds.take();
		bounds.noteNoJob();
		expect([bounds.signal.aborted, bounds.end(false).reason]).toEqual([true, "idle"]);
	});

	it("say of a run that was stopped before its job came that it was stopped", () => {
		const bounds = createBounds({ jobs: 1 }, new Set());
		bounds.take();
		expect(bounds.end(false).reason).toBe("stopped");
	});
});

describe("a worker that ends by itself, if it is ill,", () => {
	it("finds that out before its first job, tells the server, and takes none", async () => {
		server = await openInternalPlane({ source: noVideo });
		const end = await start(once, { tools: { ffmpeg: "/nonexistent", ffprobe: "ffprobe", confinement: "off" } });
		expect(end).toMatchObject({ reason: "ill", message: expect.stringMatching(/^program_unusable: /) });
		expect(server.of("/claim").map(({ body }) => body.fault)).toEqual(["program_unusable"]);
	});

	it("ends at the first attempt that a fault of its own ended", async () => {
		const bucket = "/bucket/source.mp4";
		server = await openInternalPlane({ source: noVideo, offers: 3, bucket });
		const reach: typeof fetch = async (input, init) => {
			if (String(input).includes(bucket)) throw new TypeError("fetch failed");
			return fetch(input, init);
		};
		const sleep = async () => {};
		const end = await start({ jobs: 3, idleSeconds: 0 }, { fetch: reach, sleep });
		expect(end).toMatchObject({ reason: "ill", message: expect.stringMatching(/^storage_unreachable: /) });
		expect(server.of("/fail").map(({ body }) => body)).toMatchObject([{ worker_fault: "storage_unreachable" }]);
		expect(jobsClaimed()).toHaveLength(1);
	});

	it("ends if its folder can't be made", async () => {
		server = await openInternalPlane({ source: noVideo });
		const end = await start(once, { workDirectory: "/dev/null/work" });
		expect(end).toMatchObject({ reason: "ill", message: expect.stringContaining("/dev/null/work") });
		expect(server.calls).toEqual([]);
	});
});

describe("a worker that ends by itself, if it can claim no jobs,", () => {
	it("ends at once if the server refuses its account", async () => {
		server = await openInternalPlane({
			source: noVideo,
			refuse: (route) => (route.endsWith("/token") ? "unauthorized" : undefined),
		});
		expect(await start(once)).toMatchObject({ reason: "unanswered", message: "unauthorized" });
		expect(server.of("/claim")).toEqual([]);
	});

	it("tries for a minute if the server is in trouble", async () => {
		server = await openInternalPlane({
			source: noVideo,
			refuse: (route) => (route.endsWith("/claim") ? "storage_unavailable" : undefined),
		});
		const pauses: number[] = [];
		const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
		expect(await start(once, { sleep })).toMatchObject({ reason: "unanswered", message: "storage_unavailable" });
		const waited = pauses.reduce((sum, pause) => sum + pause, 0);
		expect(waited).toBeGreaterThan(60_000);
		expect(waited).toBeLessThan(80_000);
	});
});
