import { appendFile, cp, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "@reelmill/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "../../src/index.ts";
import { entriesOf, onlyMp4 } from "../support/fixtures.ts";
import { type InternalPlaneServer, jobId, openInternalPlane } from "../support/internal-plane-server.ts";
import { smallSource } from "../support/make-source.ts";
import { startWorker } from "../support/start-worker.ts";

let source: Buffer;
/** A work directory with the outputs that an attempt finished and could not send. Tests copy it. */
let template: string;
/** What that attempt told the server. */
let failure: Record<string, unknown> | undefined;
let workDirectory: string;
let server: InternalPlaneServer;
let worker: Worker;

const stop = async () => {
	const stopped = worker.stop();
	await server.close();
	await stopped;
};
beforeAll(async () => {
	source = await smallSource();
	template = workDirectory = await mkdtemp(join(tmpdir(), "reelmill-finished-"));
	await refuseOnce("bad_request");
	failure = server.of("/fail")[0]?.body;
	await stop();
});
afterAll(() => rm(template, { recursive: true }));
beforeEach(async () => {
	workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
});
afterEach(async () => {
	await stop();
	await rm(workDirectory, { recursive: true });
});
const copyTemplate = () => cp(template, workDirectory, { recursive: true });

const kept = `kept-${jobId}`;
const start = (options: Partial<WorkerOptions> = {}) => {
	worker = startWorker({ apiUrl: server.url, workDirectory, ...options });
};
/** A worker without ffmpeg can encode nothing. */
const withoutPrograms = { tools: { ffmpeg: "/nonexistent/ffmpeg", ffprobe: "/nonexistent/ffprobe" } };
const calls = (end: string, count: number) =>
	server.seen(({ route }) => route.endsWith(end) && server.of(end).length === count);

/** Opens a server that refuses archives with a code, and offers the job twice. */
async function openRefusing(more: Partial<Parameters<typeof openInternalPlane>[0]> = {}) {
	const refusal: { code: ErrorCode | undefined; gone: boolean } = { code: "zip_too_large", gone: false };
	const refuse = (route: string): ErrorCode | undefined => {
		if (route.endsWith("/outputs")) return refusal.code;
		return refusal.gone && route.endsWith("/source") ? "file_not_found" : undefined;
	};
	server = await openInternalPlane({ source, offers: 2, plan: onlyMp4, refuse, ...more });
	return refusal;
}

/** Runs one attempt whose outputs the server refuses. */
async function refuseOnce(code: ErrorCode, options: Partial<WorkerOptions> = {}) {
	const refusal = await openRefusing({ offers: 1 });
	refusal.code = code;
	start(options);
	await calls("/claim", 2);
}

describe("finished outputs that could not be sent", () => {
	it("are kept, without the source, and sent by the next attempt, which fetches and encodes nothing", async () => {
		expect(failure).toMatchObject({ retryable: true });
		expect(await readdir(template)).toEqual([kept]);
		expect((await readdir(join(template, kept))).sort()).toEqual(["finished.json", "outputs"]);
		await copyTemplate();
		server = await openInternalPlane({ source, plan: onlyMp4, attempt: 2 });
		start(withoutPrograms);
		const { body } = await server.seen(({ route }) => route.endsWith("/complete"));
		const { files } = body.outputs as { files: string[] };
		expect(files).toContain("web.mp4");
		expect((await entriesOf(server.archive() as Buffer)).sort()).toEqual(files);
		expect(body.media).toMatchObject({ duration_seconds: 2, width: 160, height: 90 });
		expect(server.of("/source")).toEqual([]);
		expect(server.of("/heartbeat").map((call) => call.body)).toContainEqual(
			expect.objectContaining({ progress: 99, probe: { duration_seconds: 2, width: 160, height: 90 } }),
		);
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it.each<[string, () => Promise<unknown>, Partial<Parameters<typeof openInternalPlane>[0]>]>([
		["a byte of them has changed", () => appendFile(join(workDirectory, kept, "outputs", "web.mp4"), "x"), {}],
		["their record can't be read", () => writeFile(join(workDirectory, kept, "finished.json"), "{"), {}],
		["the job asks for something else now", async () => undefined, { plan: { ...onlyMp4, watermark: true } }],
	])("are made again if %s", async (_, spoil, more) => {
		await copyTemplate();
		await spoil();
		server = await openInternalPlane({ source, plan: onlyMp4, attempt: 2, ...more });
		start();
		await server.seen(({ route }) => route.endsWith("/complete"));
		expect(server.of("/source")).toHaveLength(1);
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it("are not kept if every attempt would be refused", async () => {
		await copyTemplate();
		await refuseOnce("zip_too_large", withoutPrograms);
		expect(server.of("/fail")[0]?.body).toMatchObject({ retryable: false });
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it("are kept if the lock is lost, but not if the job is over", async () => {
		await copyTemplate();
		const refusal = await openRefusing();
		refusal.code = "not_lock_holder";
		start(withoutPrograms);
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toContain(kept);
		refusal.code = "invalid_video_state";
		refusal.gone = true;
		await calls("/claim", 3);
		expect(await readdir(workDirectory)).toEqual([]);
		// Each lost lock makes the worker ask once whether the source is still there.
		expect(server.of("/source")).toHaveLength(2);
	});

	it("are not kept beyond a bound of bytes", async () => {
		await refuseOnce("bad_request", { keptBytes: 1000 });
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it("are not kept for more than a day", async () => {
		await copyTemplate();
		const longAgo = new Date(Date.now() - 25 * 3_600_000);
		await utimes(join(workDirectory, kept), longAgo, longAgo);
		server = await openInternalPlane({ source, offers: 0 });
		start();
		await calls("/claim", 1);
		expect(await readdir(workDirectory)).toEqual([]);
	});
});
