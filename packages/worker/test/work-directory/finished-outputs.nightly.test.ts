import { cp, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ErrorCode } from "@reelmill/contracts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorker, type Worker, type WorkerOptions } from "../../src/index.ts";
import { onlyMp4, recordingLogger } from "../support/fixtures.ts";
import { type InternalPlaneServer, jobId, openInternalPlane } from "../support/internal-plane-server.ts";
import { smallSource } from "../support/make-source.ts";

let source: Buffer;
/** A work directory with the outputs that an attempt finished and could not send. Tests copy it. */
let template: string;
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
	it.each<[string, () => Promise<unknown>, Partial<Parameters<typeof openInternalPlane>[0]>]>([
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
});
