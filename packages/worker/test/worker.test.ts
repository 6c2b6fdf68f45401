import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderOutputSums } from "@reelmill/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker, WorkerEnd, WorkerOptions } from "../src/index.ts";
import { contentsOf, entriesOf, onlyMp4, processesWith, recordingLogger } from "./support/fixtures.ts";
import {
	type Call,
	type InternalPlaneServer,
	jobId,
	lock,
	openInternalPlane,
	origin,
} from "./support/internal-plane-server.ts";
import { makeSource, smallSource } from "./support/make-source.ts";
import { startWorker } from "./support/start-worker.ts";

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
let source: Buffer;
let workDirectory: string;
let server: InternalPlaneServer | undefined;
let worker: Worker | undefined;

const start = (apiUrl: string, options: Partial<WorkerOptions> = {}) => {
	const logger = recordingLogger();
	worker = startWorker({ apiUrl, workDirectory, logger, ...options });
	return { worker, logger };
};
const isCall = (end: string) => (call: { route: string }) => call.route.endsWith(end);

/** Waits until the worker has asked for the next job. */
const isOver = (claims = 2) =>
	(server as InternalPlaneServer).seen(
		({ route }) => route.endsWith("/claim") && (server as InternalPlaneServer).of("/claim").length === claims,
	);
/** Expects the request that made the video in every call of the job, and in what was logged, up to this message. */
function expectNamed(logger: ReturnType<typeof recordingLogger>, last: string): void {
	const calls = (server as InternalPlaneServer).of("").filter(({ route }) => route.includes(jobId));
	expect(calls.length).toBeGreaterThan(2);
	expect(calls.filter(({ headers }) => headers["x-request-id"] !== origin.request_id)).toEqual([]);
	expect(server?.of("/claim")[0]?.headers["x-request-id"]).toBeUndefined();
	const job = { request_id: origin.request_id, job: jobId, kind: "video", attempt: 1 };
	const named = { ...job, videoId: origin.video_id, domainId: origin.domain_id };
	for (const message of ["job claimed", "job in progress", last]) {
		const fields = expect.objectContaining(named);
		expect(logger.lines).toContainEqual(expect.objectContaining({ message, fields }));
	}
}

beforeAll(async () => {
	source = await smallSource();
});
beforeEach(async () => {
	workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
});
afterEach(async () => {
	const stopped = worker?.stop();
	await server?.close();
	await stopped;
	server = undefined;
	worker = undefined;
	await rm(workDirectory, { recursive: true });
});

describe("a worker with a job", () => {
	it("fetches the source, reports, sends every declared file in one archive and completes", async () => {
		server = await openInternalPlane({ source, plan: { moderation_frames: true, watermark: true } });
		start(server.url);
		const { body } = await server.seen(isCall("/complete"));
		const { outputs, media } = body as { outputs: { files: string[]; renditions: object[] }; media: object };
		expect(body.lock).toBe(lock);
		expect(outputs.renditions).toEqual([
			{ name: "h264_90", codec: "h264", width: 160, height: 90, bitrate: expect.any(Number) },
		]);
		expect(media).toEqual({
			duration_seconds: 2,
			width: 160,
			height: 90,
			transcript_status: "disabled",
			language: null,
		});
		const playlists = ["audio", "h264_90", "h264_90_iframes", "master"].map((name) => `hls/${name}.m3u8`);
		const tracks = [...playlists, "media/audio.m4a", "media/h264_90.mp4"];
		expect(outputs.files).toEqual([
			"SHA256SUMS",
			"frames/00001.jpg",
			...tracks,
			"og.jpg",
			"poster.jpg",
			"storyboard.vtt",
			"storyboard/00001.jpg",
			"web.mp4",
		]);
		const { SHA256SUMS: sums, ...sent } = Object.fromEntries(await contentsOf(server.archive() as Buffer));
		expect(["SHA256SUMS", ...Object.keys(sent).sort()]).toEqual(outputs.files);
		expect(String(sums)).toBe(renderOutputSums(Object.entries(sent).map(([path, bytes]) => [path, sha256(bytes)])));
		expect(body.report).toMatchObject({
			decisions: expect.arrayContaining([expect.objectContaining({ about: "watermark" })]),
			warnings: [],
		});

		const [token] = server.of("/token");
		expect(token?.body).toEqual({ name: "test-worker", secret: "secret" });
		expect(server.of("/claim")[0]?.headers.authorization).toBe("Bearer service-token");
		const beats = server.of("/heartbeat").map((call) => call.body);
		expect(beats[0]).toEqual({ lock, progress: 0 });
		expect(beats).toContainEqual(expect.objectContaining({ probe: { duration_seconds: 2, width: 160, height: 90 } }));
	});

	const tellsEncodes = ({ body }: Call) => body.encodes !== undefined;
	it("sends what is playable before the rest is encoded and tells how far each encode is, but no web.mp4 that an outro will replace", async () => {
		server = await openInternalPlane({
			...{ source, renditions: ["h264_720", "av1_720"], playableFirst: true },
			plan: { outro_id: "2d0a5c74-8e3f-4a2b-9c9d-5e7f9a1b3c4d" },
			refuse: (route) =>
				!route.endsWith("part=playable") || server?.of("/heartbeat").some(tellsEncodes)
					? undefined
					: "storage_unavailable",
		});
		start(server.url);
		await server.seen(isCall("/complete"));
		// What is sent is taken once a heartbeat has told of the encodes.
		const told = server.of("/heartbeat").find(tellsEncodes)?.body.encodes as { renditions: string[] }[];
		const begun = { started_seconds: expect.any(Number), progress: expect.any(Number) };
		expect(told.toSorted((one, other) => String(other.renditions).localeCompare(String(one.renditions)))).toEqual([
			expect.objectContaining({ renditions: ["h264_90"], ...begun }),
			expect.objectContaining({ renditions: ["av1_90"], ...begun }),
		]);
		const playlists = ["audio", "h264_90", "h264_90_iframes", "master"].map((name) => `hls/${name}.m3u8`);
		const tracks = [...playlists, "media/audio.m4a", "media/h264_90.mp4"];
		expect((await entriesOf(server.playable() as Buffer)).sort()).toEqual([
			...tracks,
			"og.jpg",
			"poster.jpg",
			"storyboard.vtt",
			"storyboard/00001.jpg",
		]);
		expect(await entriesOf(server.archive() as Buffer)).toEqual(
			expect.arrayContaining([...tracks, "media/av1_90.mp4", "web.mp4"]),
		);
	});

	it("names by the request that made its video all that it logs and asks, up to its failure", async () => {
		const refuse = (route: string) =>
			route.endsWith("/source") ? ("storage_backend_unsupported" as const) : undefined;
		server = await openInternalPlane({ source, plan: onlyMp4, refuse });
		const { logger } = start(server.url);
		await server.seen(isCall("/fail"));
		await isOver();
		expectNamed(logger, "job given back");
	});

	it("gets over a server of a version without chunks, a source that breaks off, and a server in trouble", async () => {
		const refuse = (route: string, nth: number) => {
			if (route.endsWith("/claim")) return nth > 2 ? undefined : "validation_error";
			if (nth > 1) return undefined;
			return /(outputs|complete)$/.test(route) ? "storage_unavailable" : undefined;
		};
		server = await openInternalPlane({ source, plan: onlyMp4, refuse, cutAfter: 5_000 });
		const { logger } = start(server.url);
		await server.seen(isCall("/complete"));
		await isOver(4);
		// It claims without clips and posters, and then without chunks.
		const [first, second, third] = server.of("/claim").map(({ body }) => body);
		expect(first).toEqual({ ...second, takes_clips: true, takes_posters: true });
		expect(second).toMatchObject({ takes_chunks: true, machine: expect.stringMatching(/./) });
		expect(third).toEqual({ worker: "test-worker", wait_seconds: 20 });
		// It requests the rest of the source by Range.
		const ranges = server.of("/source").map((call) => call.headers.range);
		expect(ranges[0]).toBeUndefined();
		expect(ranges).toHaveLength(2);
		expect(Number(/^bytes=(\d+)-$/.exec(ranges[1] ?? "")?.[1])).toBeGreaterThan(0);
		// It sends the outputs and the completion again.
		expect([server.of("/outputs"), server.of("/complete"), server.of("/fail")].map(({ length }) => length)).toEqual([
			2, 2, 0,
		]);
		// It leaves nothing in its work directory, and names all that it did by the request that made the video.
		expect(await readdir(workDirectory)).toEqual([]);
		expectNamed(logger, "job completed");
	});

	it("fails the job for good if the source is no video, and claims the next one", async () => {
		server = await openInternalPlane({ source: Buffer.from("#EXTM3U\nfile:///etc/passwd\n") });
		start(server.url);
		const { body } = await server.seen(isCall("/fail"));
		expect(body).toMatchObject({
			lock,
			reason: "invalid_media",
			retryable: false,
			message: expect.stringContaining("is a playlist, which can't be taken"),
		});
		await server.seen(
			(call) => call.route.endsWith("/claim") && (server as InternalPlaneServer).of("/claim").length === 2,
		);
		expect(await readdir(workDirectory)).toEqual([]);
		expect(server.of("/complete")).toEqual([]);
	});

	it.each([
		["duration_too_long", { max_duration_seconds: 0.5 }],
		["dimensions_too_large", { max_decoded_pixels: 1 }],
	])("tells what it measured before it fails a job as %s", async (reason, limits) => {
		server = await openInternalPlane({ source, limits });
		start(server.url);
		const failed = await server.seen(isCall("/fail"));
		expect(failed.body).toMatchObject({ reason, retryable: false });
		const probed = server.of("/heartbeat").find(({ body }) => "probe" in body);
		expect(probed?.body).toMatchObject({ lock, probe: { duration_seconds: 2, width: 160, height: 90 } });
		const calls = server.of("");
		expect(calls.indexOf(probed ?? failed)).toBeLessThan(calls.indexOf(failed));
		await isOver();
	});

	it("fails the job for good if the source is gone", async () => {
		server = await openInternalPlane({
			source,
			plan: onlyMp4,
			refuse: (route) => (route.endsWith("/source") ? "file_not_found" : undefined),
		});
		start(server.url);
		const { body } = await server.seen(isCall("/fail"));
		expect(body).toMatchObject({ reason: "source_missing", retryable: false });
	});

	it("fails the job for good, after one request, if the storage gives neither bytes nor an address", async () => {
		server = await openInternalPlane({
			source,
			plan: onlyMp4,
			refuse: (route) => (route.endsWith("/source") ? "storage_backend_unsupported" : undefined),
		});
		start(server.url);
		const { body } = await server.seen(isCall("/fail"));
		expect(body).toMatchObject({ reason: "storage_error", retryable: false });
		expect(server.of("/source")).toHaveLength(1);
	});
});

describe("a worker that loses its lock", () => {
	const long: Pick<Parameters<typeof openInternalPlane>[0], "renditions" | "source"> = {
		renditions: ["h264_720"],
		source: Buffer.alloc(0),
	};
	/** An ffmpeg that reads what it encodes as slowly as it is played, which takes far longer than these tests. */
	let slow: Partial<WorkerOptions>;
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "reelmill-slow-"));
		const ffmpeg = join(folder, "slow-ffmpeg");
		const script = '#!/bin/sh\ncase "$*" in *libx264*) exec ffmpeg -re "$@";; esac\nexec ffmpeg "$@"\n';
		await writeFile(ffmpeg, script, { mode: 0o755 });
		slow = { tools: { ffmpeg, ffprobe: "ffprobe", confinement: "off" } };
		long.source = await makeSource(59, { size: "160x90", rate: 5 });
	});
	afterAll(() => rm(folder, { recursive: true }));
	const encoding = async () => {
		// Progress is reported once the encode has begun.
		await (server as InternalPlaneServer).seen(
			(call) => call.route.endsWith("/heartbeat") && Number(call.body.progress) > 1,
		);
		expect(await processesWith(workDirectory)).not.toEqual([]);
	};

	it.each(["not_lock_holder", "invalid_video_state"] as const)(
		"kills ffmpeg and drops the work when a heartbeat gets %s",
		async (code) => {
			let taken = false;
			server = await openInternalPlane({
				...long,
				refuse: (route) => (taken && route.endsWith("/heartbeat") ? code : undefined),
			});
			start(server.url, slow);
			await encoding();
			taken = true;
			await server.seen(
				(call) => call.route.endsWith("/claim") && (server as InternalPlaneServer).of("/claim").length === 2,
			);
			expect(await processesWith(workDirectory)).toEqual([]);
			expect(await readdir(workDirectory)).toEqual([]);
			expect([...server.of("/outputs"), ...server.of("/complete"), ...server.of("/fail")]).toEqual([]);
		},
	);

	it("kills ffmpeg by itself if no heartbeat gets through until the lock expires", async () => {
		let gone = false;
		server = await openInternalPlane({
			...long,
			lockSeconds: 10,
			refuse: (route) => (gone && route.endsWith("/heartbeat") ? "internal_error" : undefined),
		});
		const { logger } = start(server.url, slow);
		await encoding();
		gone = true;
		await server.seen(
			(call) => call.route.endsWith("/claim") && (server as InternalPlaneServer).of("/claim").length === 2,
		);
		expect(await processesWith(workDirectory)).toEqual([]);
		expect(logger.lines).toContainEqual(
			expect.objectContaining({ message: "job dropped: its lock is no longer held" }),
		);
		expect(server.of("/heartbeat").length).toBeGreaterThan(3);
	});

	it("kills ffmpeg and gives the job back when it is stopped", async () => {
		server = await openInternalPlane(long);
		const ends: WorkerEnd[] = [];
		const { worker } = start(server.url, { ...slow, endsAfter: { jobs: 1 }, onEnded: (end) => void ends.push(end) });
		await encoding();
		await worker.stop();
		expect(ends).toEqual([{ reason: "stopped", message: null, gaveBack: true }]);
		expect(await processesWith(workDirectory)).toEqual([]);
		expect(await readdir(workDirectory)).toEqual([]);
		expect(server.of("/fail")[0]?.body).toMatchObject({
			retryable: true,
			stopped: true,
			message: "The worker was stopped.",
		});
	});
});

describe("a worker without a server", () => {
	it("logs it once, keeps trying, and claims as soon as it can", async () => {
		const port = await new Promise<number>((resolve) => {
			const closed = createServer().listen(0, "127.0.0.1", () => {
				const { port: free } = closed.address() as AddressInfo;
				closed.close(() => resolve(free));
			});
		});
		let waits = 0;
		const tried = Promise.withResolvers<void>();
		const sleep = async () => {
			waits += 1;
			if (waits === 4) tried.resolve();
			await new Promise((resolve) => setTimeout(resolve, 5));
		};
		const { logger } = start(`http://127.0.0.1:${port}`, { sleep });
		await tried.promise;
		expect(logger.lines.filter(({ level }) => level === "warn")).toHaveLength(1);
		server = await openInternalPlane({ source: Buffer.from("no video"), port });
		await server.seen(isCall("/fail"));
		expect(logger.lines).toContainEqual(expect.objectContaining({ message: "jobs can be claimed again" }));
	});

	it("removes what a killed worker left, and nothing else", async () => {
		await mkdir(join(workDirectory, "job-999999999-abc"));
		await mkdir(join(workDirectory, `job-${process.pid}-abc`));
		await writeFile(join(workDirectory, "notes.txt"), "");
		server = await openInternalPlane({ source: Buffer.from("no video") });
		start(server.url);
		await server.seen(isCall("/fail"));
		await worker?.stop();
		expect((await readdir(workDirectory)).sort()).toEqual([`job-${process.pid}-abc`, "notes.txt"]);
	});
});
