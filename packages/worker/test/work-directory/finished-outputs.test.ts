import { appendFile, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "@reelmill/contracts";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorker, type Worker, type WorkerOptions } from "../../src/index.ts";
import { entriesOf, makeSource, recordingLogger } from "../support/fixtures.ts";
import { type InternalPlaneServer, jobId, openInternalPlane } from "../support/internal-plane-server.ts";

let source: Buffer;
let workDirectory: string;
let server: InternalPlaneServer;
let worker: Worker;

beforeAll(async () => {
	source = await makeSource(2);
});
beforeEach(async () => {
	workDirectory = await mkdtemp(join(tmpdir(), "reelmill-worker-"));
});
afterEach(async () => {
	const stopped = worker.stop();
	await server.close();
	await stopped;
	await rm(workDirectory, { recursive: true });
});

const kept = `kept-${jobId}`;
const start = (options: Partial<WorkerOptions> = {}) => {
	const tools = { ffmpeg: "ffmpeg", ffprobe: "ffprobe" };
	worker = createWorker({
		apiUrl: server.url,
		name: "w",
		secret: "s",
		workDirectory,
		tools,
		logger: recordingLogger(),
		graceSeconds: 0,
		...options,
	});
	worker.start();
};
/** Without ffmpeg nothing can be encoded. */
const withoutPrograms = { tools: { ffmpeg: "/nonexistent/ffmpeg", ffprobe: "/nonexistent/ffprobe" } };
const restart = async (options: Partial<WorkerOptions>) => {
	await worker.stop();
	start(options);
};
const calls = (end: string, count: number) =>
	server.seen(({ route }) => route.endsWith(end) && server.of(end).length === count);

/** A server that takes no archive until told, and offers the job as often as it is given back. */
async function openRefusing(more: Partial<Parameters<typeof openInternalPlane>[0]> = {}) {
	const refusal: { code: ErrorCode | undefined; gone: boolean } = { code: "zip_too_large", gone: false };
	const refuse = (route: string): ErrorCode | undefined => {
		if (route.endsWith("/outputs")) return refusal.code;
		return refusal.gone && route.endsWith("/source") ? "file_not_found" : undefined;
	};
	server = await openInternalPlane({ source, offers: 2, refuse, ...more });
	return refusal;
}

describe("finished outputs that could not be delivered", { timeout: 120_000 }, () => {
	const refusedOnce = async (code: ErrorCode, options: Partial<WorkerOptions> = {}) => {
		const refusal = await openRefusing({ offers: 1 });
		refusal.code = code;
		start(options);
		await calls("/claim", 2);
		return refusal;
	};

	it("are delivered by the next attempt, which fetches and encodes nothing", async () => {
		await refusedOnce("bad_request");
		expect(server.of("/fail")[0]?.body).toMatchObject({ retryable: true });
		expect(await readdir(workDirectory)).toEqual([kept]);
		expect((await readdir(join(workDirectory, kept))).sort()).toEqual(["finished.json", "outputs"]);
		await worker.stop();
		await server.close();
		server = await openInternalPlane({ source, attempt: 2 });
		start(withoutPrograms);
		const { body } = await server.seen(({ route }) => route.endsWith("/complete"));
		const { files } = body.outputs as { files: string[] };
		expect(files).toContain("web.mp4");
		expect((await entriesOf(server.archive() as Buffer)).sort()).toEqual(files);
		expect(body.media).toMatchObject({ duration_seconds: 2, width: 320, height: 180 });
		expect(server.of("/source")).toEqual([]);
		expect(server.of("/heartbeat").map((call) => call.body)).toContainEqual(
			expect.objectContaining({ progress: 99, probe: { duration_seconds: 2, width: 320, height: 180 } }),
		);
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it.each<[string, () => Promise<unknown>, Partial<Parameters<typeof openInternalPlane>[0]>]>([
		["a byte of them has changed", () => appendFile(join(workDirectory, kept, "outputs", "web.mp4"), "x"), {}],
		["what is written of them can't be read", () => writeFile(join(workDirectory, kept, "finished.json"), "{"), {}],
		["the job asks for something else by now", async () => undefined, { plan: { watermark: true } }],
	])("are made again where %s", async (_, spoil, more) => {
		await refusedOnce("bad_request");
		await worker.stop();
		await spoil();
		await server.close();
		server = await openInternalPlane({ source, attempt: 2, ...more });
		start();
		await server.seen(({ route }) => route.endsWith("/complete"));
		expect(server.of("/source")).toHaveLength(1);
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it("are not kept where another attempt would be refused alike", async () => {
		await refusedOnce("zip_too_large");
		expect(server.of("/fail")[0]?.body).toMatchObject({ retryable: false });
		expect(await readdir(workDirectory)).toEqual([]);
	});

	it("are kept where the lock was lost, and not where the job is over", async () => {
		const refusal = await openRefusing();
		refusal.code = "not_lock_holder";
		start();
		await calls("/claim", 2);
		expect(await readdir(workDirectory)).toContain(kept);
		refusal.code = "invalid_video_state";
		refusal.gone = true;
		await calls("/claim", 3);
		expect(await readdir(workDirectory)).toEqual([]);
		expect(server.of("/source")).toHaveLength(3);
	});

	it("are kept within a bound of bytes and of time", async () => {
		await refusedOnce("bad_request", { keptBytes: 1000 });
		expect(await readdir(workDirectory)).toEqual([]);
		await worker.stop();
		await server.close();
		await refusedOnce("bad_request");
		expect(await readdir(workDirectory)).toEqual([kept]);
		const longAgo = new Date(Date.now() - 25 * 3_600_000);
		await utimes(join(workDirectory, kept), longAgo, longAgo);
		await worker.stop();
		const before = server.of("/claim").length;
		await restart({});
		await calls("/claim", before + 1);
		expect(await readdir(workDirectory)).toEqual([]);
	});
});
